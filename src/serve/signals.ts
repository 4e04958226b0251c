/**
 * Signals to the service. The first SIGTERM or SIGINT aborts the start, or lets a running service
 * finish its requests and stop; a second one stops the process immediately. SIGHUP reloads the
 * files; all SIGHUPs that arrive during the start become one reload after it.
 */
import { receiveSignals } from './held-signals.js';
import type { Service } from './serve.ts';

// Ctrl-C arrives from the terminal and again through npm: signals within this time count as one
const SAME_SIGNAL_MS = 300;
const PARENT_POLL_MS = 250;

export class ServiceSignals {
  readonly #stopping = new AbortController();
  readonly #onDraining: () => void;
  readonly #exitCode = Promise.withResolvers<number>();
  #service: Service | undefined;
  #isReloadPending = false;
  #stoppingSinceMs: number | undefined;

  /** Create before the start. `onDraining` is called when a running service begins to stop. */
  constructor(onDraining: () => void) {
    this.#onDraining = onDraining;
    receiveSignals((signal) => (signal === 'SIGHUP' ? this.#reload() : this.#stop()));
    const isStartedByNpm = process.env.npm_command !== undefined;
    if (isStartedByNpm) onParentExit(() => this.#stop());
  }

  /** Aborted by the first SIGTERM or SIGINT; a start in progress must then be abandoned. */
  get stopping(): AbortSignal {
    return this.#stopping.signal;
  }

  /** Passes earlier and later signals to the service. Resolves with the exit code once it stops. */
  untilStopped(service: Service): Promise<number> {
    this.#service = service;
    if (this.stopping.aborted) this.#drain(service);
    else if (this.#isReloadPending) void service.reload();
    return this.#exitCode.promise;
  }

  #reload(): void {
    if (this.#service === undefined) this.#isReloadPending = true;
    else void this.#service.reload();
  }

  #stop(): void {
    if (this.#stoppingSinceMs === undefined) {
      this.#stoppingSinceMs = performance.now();
      this.#stopping.abort();
      if (this.#service !== undefined) this.#drain(this.#service);
    } else if (performance.now() - this.#stoppingSinceMs > SAME_SIGNAL_MS) {
      if (this.#service === undefined) process.exit(1);
      this.#exitAfter(this.#service.stop(), 1);
    }
  }

  #drain(service: Service): void {
    this.#onDraining();
    this.#exitAfter(service.drain(), 0);
  }

  #exitAfter(stopped: Promise<void>, code: number): void {
    stopped.then(() => this.#exitCode.resolve(code), this.#exitCode.reject);
  }
}

/**
 * Calls `stop` when the parent process exits. The parent of a service started by npm is a shell,
 * which receives SIGTERM from npm and exits without passing it on.
 */
function onParentExit(stop: () => void): void {
  const parentId = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parentId) return;
    clearInterval(timer);
    stop();
  }, PARENT_POLL_MS).unref();
}
