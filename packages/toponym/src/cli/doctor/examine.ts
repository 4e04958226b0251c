/** The list of the checks of `toponym doctor`, and how they run. A check that throws or hangs becomes a problem itself. */

import { statfsSync } from 'node:fs';
import { errorMessage, UsageError, withTimeLimit } from 'toponym-files/errors/errors';
import { stateFolderAt } from 'toponym-server/serve/state-folder';
import type { Settings } from '../settings/settings.ts';
import { type Check, CORRECT_SETTING, type DoctorContext, type Level, type Verdict } from './check.ts';
import { DATA_CHECKS } from './data.ts';
import { MACHINE_CHECKS, PORT_CHECK } from './machine.ts';
import { REDIS_CHECK } from './redis.ts';

export interface Finding {
  /** Such as `certificate`. */
  readonly area: string;
  readonly level: Level;
  readonly message: string;
  readonly advice?: string;
}

/** In the order of the report. Scripts read the names of the areas. */
export const CHECKS: readonly Check[] = [...MACHINE_CHECKS, ...DATA_CHECKS, REDIS_CHECK, PORT_CHECK];

/** For each check. */
const DEADLINE_MS = 7_000;

/** `readSettings` may throw UsageError, which is then the only finding. */
export async function examineSettings(readSettings: () => Settings): Promise<Finding[]> {
  try {
    return await examine(createContext(readSettings()));
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return [{ area: 'settings', level: 'problem', message: error.message, advice: CORRECT_SETTING }];
  }
}

export function createContext(settings: Settings): DoctorContext {
  const fileSystemOf = (folder: string) => statfsSync(folder).type;
  return { settings, state: stateFolderAt(settings.state), now: new Date(), fileSystemOf };
}

export async function examine(context: DoctorContext, checks = CHECKS): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const check of checks) findings.push(...(await runCheck(check, context)));
  return findings;
}

async function runCheck(check: Check, context: DoctorContext): Promise<Finding[]> {
  const verdicts: Verdict[] = [];
  const collect = async () => {
    for await (const verdict of check.examine(context)) verdicts.push(verdict);
  };
  const late = new Error(`no result within ${DEADLINE_MS / 1000} s`);
  try {
    await withTimeLimit(collect(), DEADLINE_MS, () => late);
  } catch (error) {
    const remedy = check.remedy ?? 'Read the reason. If it makes no sense, report a bug.';
    const lateRemedy = 'Find out what does not answer: a name server, a server or a disk.';
    verdicts.push(['problem', errorMessage(error), error === late ? lateRemedy : remedy]);
  }
  return verdicts.map(([level, message, advice]) => ({
    area: check.area,
    level,
    message,
    ...(level !== 'ok' && advice !== undefined && { advice }),
  }));
}
