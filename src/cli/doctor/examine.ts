/** The checks of `toponym doctor`. A check that fails or hangs becomes a problem itself. */
import { errorMessage, UsageError, withTimeLimit } from '../../errors/errors.ts';
import { checkProxySettings, resolveAddress, warnOfProxySettings } from '../../serve/listen/listen-address.ts';
import type { Logger } from '../../serve/log.ts';
import { checkMetricsSettings } from '../../serve/metrics/metrics-server.ts';
import { checkTlsSettings } from '../../serve/tls/certificate.ts';
import { checkCertificate } from './certificate.ts';
import { createContext, type DoctorContext, type Finding, ok, problem, type Verdict, warning } from './check.ts';
import { checkIndex, checkIndexServer, checkIpDatabase } from './data.ts';
import { checkKeys } from './keys.ts';
import { checkClock, checkDescriptors, checkDisk, checkMemory, checkProcessors, checkStateFolder } from './machine.ts';
import { checkPort } from './port.ts';
import { checkRedis } from './redis.ts';

export interface Check {
  readonly area: string;
  /** Whether the check waits for another process or machine. It must not block this thread. */
  readonly isRemote?: true;
  readonly examine: (context: DoctorContext) => Iterable<Verdict> | AsyncIterable<Verdict>;
  /** What to do if `examine` throws. */
  readonly advice?: string;
}

const SETTINGS_ADVICE = 'Correct the setting: "toponym serve" does not start with it.';

/** In the order of the report. Scripts read the names of the areas. */
export const CHECKS: readonly Check[] = [
  { area: 'settings', examine: checkSettings, isRemote: true, advice: SETTINGS_ADVICE },
  { area: 'processors', examine: checkProcessors },
  { area: 'memory', examine: checkMemory },
  { area: 'descriptors', examine: checkDescriptors },
  { area: 'clock', examine: checkClock },
  { area: 'state folder', examine: checkStateFolder },
  { area: 'disk', examine: checkDisk },
  {
    area: 'certificate',
    examine: checkCertificate,
    advice:
      'Name a certificate with its chain and its key, in PEM form. Delete both files of tls/ in the state folder to have a new pair created.',
  },
  {
    area: 'index',
    examine: checkIndex,
    advice: 'Correct the file, or build or copy it again; docs/data.md has the formats.',
  },
  { area: 'index server', examine: checkIndexServer, isRemote: true },
  {
    area: 'IP database',
    examine: checkIpDatabase,
    advice: 'Name a MaxMind DB file with --ip-database, or "none".',
  },
  {
    area: 'keys',
    examine: checkKeys,
    advice: 'Restore a backup of the keys, or give the file to the user of the service (chown).',
  },
  { area: 'Redis', examine: checkRedis, isRemote: true, advice: SETTINGS_ADVICE },
  { area: 'port', examine: checkPort, isRemote: true },
];

/** Remote checks wait at the same time, so that all of them end in this time. */
const DEADLINE_MS = 7_000;

/** `readSettings` may throw UsageError, which is then the only finding. */
export async function examineSettings(readSettings: () => DoctorContext['settings']): Promise<Finding[]> {
  try {
    return await examine(createContext(readSettings()));
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return [{ area: 'settings', ...problem(error.message, SETTINGS_ADVICE) }];
  }
}

export async function examine(context: DoctorContext, checks = CHECKS): Promise<Finding[]> {
  const findings = new Map<Check, Finding[]>();
  const run = async (check: Check) => findings.set(check, await runCheck(check, context));
  // first, because the other checks block the thread, which would look like a slow server
  await Promise.all(checks.filter(({ isRemote }) => isRemote).map(run));
  for (const check of checks) if (!check.isRemote) await run(check);
  return checks.flatMap((check) => findings.get(check) ?? []);
}

async function runCheck({ area, examine, advice }: Check, context: DoctorContext): Promise<Finding[]> {
  const verdicts: Verdict[] = [];
  const collect = async () => {
    for await (const verdict of examine(context)) verdicts.push(verdict);
  };
  const late = new Error(`no result within ${DEADLINE_MS / 1000} s`);
  try {
    await withTimeLimit(collect(), DEADLINE_MS, () => late);
  } catch (error) {
    const whatToDo =
      error === late
        ? 'Find out what does not answer: a name server, a server or a disk.'
        : (advice ?? 'Read the reason. If it makes no sense, report a bug.');
    verdicts.push(problem(errorMessage(error), whatToDo));
  }
  return verdicts.map((verdict) => ({ area, ...verdict }));
}

/** What `toponym serve` would refuse or warn of. */
async function* checkSettings({ settings }: DoctorContext): AsyncGenerator<Verdict> {
  const warnings: string[] = [];
  const log = { warn: (text: string) => warnings.push(text) } as Pick<Logger, 'warn'>;
  checkProxySettings(settings);
  checkTlsSettings(settings);
  const address = await resolveAddress(settings);
  checkMetricsSettings(address, settings, log);
  warnOfProxySettings(address, settings, log);
  if (warnings.length === 0) yield ok('the service accepts them');
  for (const text of warnings) yield warning(text, 'Change the setting, unless this is what you want.');
}
