/** A context for checks of `toponym doctor`, with flags as a user gives them. */
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { DoctorContext } from '../../../src/cli/doctor/check.ts';
import type { Verdict } from '../../../src/cli/doctor/finding.ts';
import { redisSettings } from '../../../src/cli/settings/redis-access.ts';
import { resolveSettings } from '../../../src/cli/settings/resolve-settings.ts';
import { stateFolderAt } from '../../../src/serve/state/state-folder.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

export interface ContextSketch {
  readonly flags?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly now?: Date;
}

/** The state folder does not exist yet, and its parent is a new folder. */
export function aContext(test: Pick<TestContext, 'after'>, sketch: ContextSketch = {}): DoctorContext {
  const { flags = {}, env = {}, now } = sketch;
  const workingFolder = temporaryFolder(test);
  const state = join(workingFolder, 'state');
  const settings = resolveSettings({ flags: { state, ...flags }, env, workingFolder });
  let redis: DoctorContext['redis'];
  try {
    redis = redisSettings(settings);
  } catch {
    // refused settings, which the check of the settings reports
  }
  return { settings, state: stateFolderAt(state), redis, now: now ?? new Date() };
}

/** Level and message of each verdict, and its advice after an arrow. */
export function linesOf(verdicts: readonly Verdict[]): string[] {
  return verdicts.map((verdict) => {
    const line = `${verdict.level}: ${verdict.message}`;
    return verdict.level === 'ok' ? line : `${line} -> ${verdict.advice}`;
  });
}

export function levelsOf(verdicts: readonly Verdict[]): string[] {
  return verdicts.map(({ level }) => level);
}
