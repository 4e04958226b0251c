/** Waiting with a deadline: a wait that never ends fails, and its message says what was awaited. */
import { setImmediate as nextTick } from 'node:timers/promises';

/** Longer than any wait on a busy machine, and shorter than the 60 s that tests may take. */
const DEADLINE_MS = 50_000;

/** Calls `check` once per tick of the event loop until it returns true. */
export async function waitUntil(what: string, check: () => boolean | Promise<boolean>): Promise<void> {
  const startedMs = performance.now();
  while (!(await check())) {
    if (performance.now() - startedMs > DEADLINE_MS) throw lateError(what);
    await nextTick();
  }
}

/** Resolves as `promise` does; rejects if it has not settled at the deadline. */
export async function withDeadline<T>(what: string, promise: Promise<T>): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(lateError(what)), DEADLINE_MS);
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

function lateError(what: string): Error {
  return new Error(`waited ${DEADLINE_MS / 1000} s in vain until ${what}`);
}
