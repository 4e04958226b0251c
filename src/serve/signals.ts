/**
 * Signals to the service: SIGTERM and SIGINT abort its start or drain it, a second one ends it at once, SIGHUP reloads.
 * A SIGHUP that arrives before the service is ready becomes one reload as soon as it is.
 */
import { receiveSignals } from './held-signals.js';
import type { Service } from './serve.ts';

// Ctrl-C reaches this process from the terminal and once more through npm: within this time two signals are one
const SAME_SIGNAL_MS = 300;
const WATCH_PARENT_MS = 250;

export class ServiceSignals {
  readonly #stopping = new AbortController();
  readonly #onDraining: () => void;
  readonly #exitCode = Promise.withResolvers<number>();
  #service: Service | undefined;
  #isReloadWanted = false;
  #stoppingSinceMs: number | undefined;

  /** Create it before the service starts. `onDraining` is called when a running service begins to stop. */
  constructor(onDraining: () => void) {
    this.#onDraining = onDraining;
    receiveSignals((signal) => (signal === 'SIGHUP' ? this.#reload() : this.#stop()));
    if (process.env.npm_command !== undefined) onParentEnd(() => this.#stop());
  }

  /** Aborted by the first SIGTERM or SIGINT: a start in progress must be given up. */
  get stopping(): AbortSignal {
    return this.#stopping.signal;
  }

  /** Resolves with the exit code when a signal has ended the service; rejects if it could not be ended. */
  untilStopped(service: Service): Promise<number> {
    this.#service = service;
    if (this.stopping.aborted) this.#drain(service);
    else if (this.#isReloadWanted) void service.reload();
    return this.#exitCode.promise;
  }

  #reload(): void {
    if (this.#service === undefined) this.#isReloadWanted = true;
    else void this.#service.reload();
  }

  #stop(): void {
    if (this.#stoppingSinceMs === undefined) {
      this.#stoppingSinceMs = performance.now();
      this.#stopping.abort();
      if (this.#service !== undefined) this.#drain(this.#service);
    } else if (performance.now() - this.#stoppingSinceMs > SAME_SIGNAL_MS) {
      if (this.#service === undefined) process.exit(1);
      this.#settle(this.#service.stop(), 1);
    }
  }

  #drain(service: Service): void {
    this.#onDraining();
    this.#settle(service.drain(), 0);
  }

  #settle(ended: Promise<void>, code: number): void {
    ended.then(() => this.#exitCode.resolve(code), this.#exitCode.reject);
  }
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
