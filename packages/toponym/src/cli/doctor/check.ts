/** What a check of `toponym doctor` is. */

import type { StateFolder } from 'toponym-server/serve/state-folder';
import type { Settings } from '../settings/settings.ts';

/** `warning`: it works, but may not last, or could be better. `problem`: it does not start, refuses calls or is not safe. */
export type Level = 'ok' | 'warning' | 'problem';
/** The remedy is left out of the report if the level is `ok`. */
export type Verdict = readonly [level: Level, message: string, remedy?: string];
export type Verdicts = Iterable<Verdict> | AsyncIterable<Verdict>;

export interface DoctorContext {
  readonly settings: Settings;
  readonly state: StateFolder;
  readonly now: Date;
  /** The magic number of a folder's file system, as in statfs(2). */
  readonly fileSystemOf: (folder: string) => number;
}

export interface Check {
  readonly area: string;
  readonly examine: (context: DoctorContext) => Verdicts;
  /** The remedy if `examine` throws. */
  readonly remedy?: string;
}

export const CORRECT_SETTING = 'Correct the setting: "toponym serve" does not start with it.';
