import type { Clock } from '../../src/fetch/get-request.ts';

export interface TestClock extends Clock {
  /** Duration of each sleep. */
  readonly slept: readonly number[];
  /** Fires every pending timer. */
  pass(): void;
}

/** A clock whose sleeps return at once and advance it. Timers fire only in `pass`. */
export function createTestClock(): TestClock {
  const slept: number[] = [];
  const timers = new Set<() => void>();
  let now = 0;
  return {
    slept,
    nowMs: () => now,
    async sleep(ms) {
      slept.push(ms);
      now += ms;
    },
    after(ms, run) {
      const timer = () => {
        timers.delete(timer);
        now += ms;
        run();
      };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    pass() {
      for (const timer of [...timers]) timer();
    },
  };
}
