import type { Clock } from '../../src/fetch/clock.ts';

export interface TestClock extends Clock {
  /** How long each wait would have been. */
  readonly slept: readonly number[];
  /** Lets every timer that is set go off. */
  pass(): void;
}

/** Waits take no time but move the clock on; timers go off only when told. */
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
