/** Waiting with a deadline: a wait that never ends fails, and its message says what was awaited. */
import { setTimeout as pause } from 'node:timers/promises';

/** Ten times longer than any wait on a quiet machine. */
const DEADLINE_MS = 120_000;
/** Between two checks, so that waiting leaves the processor to what is awaited. */
const PAUSE_MS = 5;
/** Between two checks that call a service: a TLS handshake takes some milliseconds of both processes. */
export const CALL_PAUSE_MS = 200;

/** Calls `check` until it returns true. */
export async function waitUntil(
  what: string,
  check: () => boolean | Promise<boolean>,
  pauseMs = PAUSE_MS,
): Promise<void> {
  const startedMs = performance.now();
  while (!(await check())) {
    if (performance.now() - startedMs > DEADLINE_MS) throw lateError(what);
    await pause(pauseMs);
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
