/**
 * Signals to the service. The first SIGTERM or SIGINT aborts the start or drains a running service.
 * A second signal stops the process immediately. SIGHUP reloads the files.
 */

import type { StartedService } from 'toponym-server/serve/serve';
import { receiveSignals } from './held-signals.js';

// npm passes on a Ctrl-C that the terminal has already sent to the service
const SAME_SIGNAL_MS = 300;
const PARENT_POLL_MS = 250;

export class ServiceSignals {
  readonly #stopping = new AbortController();
  readonly #onDraining: () => void;
  readonly #exitCode = Promise.withResolvers<number>();
  #service: StartedService | undefined;
  #isReloadPending = false;
  #stoppingSinceMs: number | undefined;

  /** Receives signals from now on, even before there is a service. */
  constructor(onDraining: () => void) {
    this.#onDraining = onDraining;
    receiveSignals((signal) => (signal === 'SIGHUP' ? this.#reload() : this.#stop()));
    const isStartedByNpm = process.env.npm_command !== undefined;
    if (isStartedByNpm) onParentExit(() => this.#stop());
  }

  /** Aborted by the first SIGTERM or SIGINT. */
  get stopping(): AbortSignal {
    return this.#stopping.signal;
  }

  /** Passes earlier and later signals to the service. Resolves with the exit code. */
  untilStopped(service: StartedService): Promise<number> {
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

  #drain(service: StartedService): void {
    this.#onDraining();
    this.#exitAfter(service.drain(), 0);
  }

  #exitAfter(stopped: Promise<void>, code: number): void {
    stopped.then(() => this.#exitCode.resolve(code), this.#exitCode.reject);
  }
}

/** Needed under npm: its shell receives SIGTERM and exits without passing it on. */
function onParentExit(stop: () => void): void {
  const parentId = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parentId) return;
    clearInterval(timer);
    stop();
  }, PARENT_POLL_MS).unref();
}
