/**
 * Signals to a running service: SIGTERM and SIGINT drain it, a second one ends it at once, SIGHUP reloads.
 */
import type { Service } from './serve.ts';

// Ctrl-C reaches this process from the terminal and once more through npm: within this time two signals are one
const SAME_SIGNAL_MS = 300;
const WATCH_PARENT_MS = 250;

/** Resolves with the exit code when a signal has ended the service; rejects if it could not be ended. */
export function untilStopped(service: Service, onDraining: () => void): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const settle = (ended: Promise<void>, code: number): void => {
    ended.then(() => resolve(code), reject);
  };
  let drainingSinceMs: number | undefined;
  const stop = (): void => {
    if (drainingSinceMs === undefined) {
      drainingSinceMs = performance.now();
      onDraining();
      settle(service.drain(), 0);
    } else if (performance.now() - drainingSinceMs > SAME_SIGNAL_MS) {
      settle(service.stop(), 1);
    }
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  process.on('SIGHUP', () => void service.reload());
  if (process.env.npm_command !== undefined) onParentEnd(stop);
  return promise;
}

/**
 * `npm start` and `npx` pass SIGTERM to the shell that runs their command, and the shell ends without passing it on.
 * So under npm the end of the parent is the signal.
 */
function onParentEnd(stop: () => void): void {
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    stop();
  }, WATCH_PARENT_MS);
  watch.unref();
}
