/** What every check of `toponym doctor` gets and gives. */
import { type StatsFs, statfsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { maxDescriptors, memoryLimitBytes } from '../../serve/metrics/process-metrics.ts';
import { type StateFolder, stateFolderAt } from '../../serve/state-folder.ts';
import type { Settings } from '../settings/settings.ts';

/** The result of one examination, with advice unless all is well. */
export type Verdict =
  | { readonly level: 'ok'; readonly message: string }
  | { readonly level: 'warning' | 'problem'; readonly message: string; readonly advice: string };

/** A verdict and what it is about, such as `certificate`. */
export type Finding = { readonly area: string } & Verdict;

export interface DoctorContext {
  readonly settings: Settings;
  readonly state: StateFolder;
  readonly now: Date;
  /** The machine or container that the service would run on. */
  readonly machine: {
    readonly cores: number;
    readonly memoryBytes: number;
    readonly maxDescriptors: number | undefined;
    readonly diskOf: (folder: string) => Pick<StatsFs, 'type' | 'bavail' | 'bsize' | 'files' | 'ffree'>;
  };
}

export const DAY_MS = 86_400_000;

export function createContext(settings: Settings): DoctorContext {
  const [cores, memoryBytes] = [availableParallelism(), memoryLimitBytes()];
  const machine = { cores, memoryBytes, maxDescriptors: maxDescriptors(), diskOf: statfsSync };
  return { settings, state: stateFolderAt(settings.state), now: new Date(), machine };
}

export function ok(message: string): Verdict {
  return { level: 'ok', message };
}

/** The service works, but not as well or not as long as it could. */
export function warning(message: string, advice: string): Verdict {
  return { level: 'warning', message, advice };
}

/** The service does not start, refuses calls or is not safe. */
export function problem(message: string, advice: string): Verdict {
  return { level: 'problem', message, advice };
}

/** Takes the worst level whose condition holds. */
export function judge(
  { isProblem = false, isWarning = false }: { isProblem?: boolean; isWarning?: boolean },
  message: string,
  advice: string,
): Verdict {
  if (isProblem) return problem(message, advice);
  return isWarning ? warning(message, advice) : ok(message);
}

export function formatDay(time: Date): string {
  return time.toISOString().slice(0, 10);
}
