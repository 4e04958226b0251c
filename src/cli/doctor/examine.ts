/** Runs the checks of `toponym doctor`. A check that fails or hangs becomes a problem itself. */
import { errorMessage } from '../../errors/error-message.ts';
import { withTimeLimit } from '../../errors/time-limit.ts';
import { checkCertificate } from './certificate.ts';
import type { Check, DoctorContext } from './check.ts';
import { checkClock } from './clock.ts';
import { checkDescriptors } from './descriptors.ts';
import { checkDisk } from './disk.ts';
import { type Finding, ok, problem, type Verdict } from './finding.ts';
import { checkIndex } from './index-data.ts';
import { checkIndexServer } from './index-server.ts';
import { checkIpDatabase } from './ip-database.ts';
import { checkKeys } from './keys.ts';
import { checkMemory } from './memory.ts';
import { checkPort } from './port.ts';
import { checkProcessors } from './processors.ts';
import { checkRedis } from './redis.ts';
import { checkSettings } from './settings.ts';
import { checkStateFolder } from './state-folder.ts';

/** In the order of the report. */
const CHECKS: readonly Check[] = [
  // a Node.js that is too old does not get here: see main.js
  { area: 'Node.js', examine: () => [ok(`version ${process.versions.node}`)] },
  { area: 'settings', examine: checkSettings, isRemote: true },
  { area: 'processors', examine: checkProcessors },
  { area: 'memory', examine: checkMemory },
  { area: 'descriptors', examine: checkDescriptors },
  { area: 'clock', examine: checkClock },
  { area: 'state folder', examine: checkStateFolder },
  { area: 'disk', examine: checkDisk },
  { area: 'certificate', examine: checkCertificate },
  { area: 'index', examine: checkIndex },
  { area: 'index server', examine: checkIndexServer, isRemote: true },
  { area: 'IP database', examine: checkIpDatabase },
  { area: 'keys', examine: checkKeys },
  { area: 'Redis', examine: checkRedis, isRemote: true },
  { area: 'port', examine: checkPort, isRemote: true },
];

/** Remote checks wait at the same time, so that all of them end in this time. */
const DEADLINE_MS = 7_000;

export async function examine(context: DoctorContext, checks: readonly Check[] = CHECKS): Promise<Finding[]> {
  const findings = new Map<Check, Finding[]>();
  const run = async (check: Check) => {
    const verdicts = await inTime(check, context);
    const about = verdicts.map((verdict): Finding => ({ area: check.area, ...verdict }));
    findings.set(check, about);
  };
  // first, because the other checks block the thread, which would look like a slow server
  await Promise.all(checks.filter(({ isRemote }) => isRemote).map(run));
  for (const check of checks) if (!check.isRemote) await run(check);
  return checks.flatMap((check) => findings.get(check) ?? []);
}

async function inTime(check: Check, context: DoctorContext): Promise<Verdict[]> {
  const late = new Error(`no result within ${DEADLINE_MS / 1000} s`);
  try {
    return await withTimeLimit(Promise.resolve(check.examine(context)), DEADLINE_MS, () => late);
  } catch (error) {
    if (error === late)
      return [problem(late.message, 'Find out what does not answer: a name server, a server or a disk.')];
    return [
      problem(`the check failed: ${errorMessage(error)}`, 'Read the reason. If it makes no sense, report a bug.'),
    ];
  }
}
