/**
 * A scenario of `npm run faults`: a fault, the promise about it, and a run that measures whether
 * the promise holds. The service and all its parts are real.
 *
 * To add a scenario:
 * 1. Write `scenarios/NAME.ts`, which exports a `Scenario`. Start services with `startService`
 *    of service.ts, and Redis with test/support/redis.ts, so that both are searched for keys.
 *    Register clean-up with `run.after`.
 * 2. Add it to the list in scenarios.ts.
 * 3. Run `npm run faults`, which writes the figures to results.md.
 */
import type { Check, Scale } from './checks.ts';
import type { KeySearch } from './key-search.ts';

export interface Scenario {
  /** The file's name without its ending, for `--only`. */
  readonly name: string;
  /** One plain sentence. */
  readonly promise: string;
  /** Returns what was measured. The promise holds if every check does. */
  readonly run: (run: FaultRun) => Promise<readonly Check[]>;
}

/** What a scenario gets from the frame. */
export interface FaultRun {
  readonly scale: Scale;
  /** Seed of all random choices. */
  readonly seed: number;
  /** Collects keys, and searches outputs for them. Shared by all scenarios. */
  readonly keySearch: KeySearch;
  /** Prints a line of progress. */
  readonly print: (line: string) => void;
  /** Registers clean-up for the end of the scenario. The last one registered runs first. */
  readonly after: (cleanUp: () => unknown) => void;
}
