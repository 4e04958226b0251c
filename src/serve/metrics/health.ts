/**
 * Health of the whole service, for the metrics listener. An orchestrator's probes come from
 * addresses that are not trusted proxies, so the service's own port may refuse them.
 */
import { randomUUID } from 'node:crypto';
import { errorResponse, RequestError } from '../../http/errors.ts';

export interface HealthSources {
  /** Whether a worker thread replies. */
  readonly isAnswering: () => Promise<boolean>;
  /** Version of the data that each thread serves. */
  readonly servedData: () => readonly string[];
  /** A warning that `/readyz` shows, or an empty string. */
  readonly notice: () => string;
}

export interface HealthResponse {
  readonly status: number;
  readonly body: string;
}

export class Health {
  phase: 'starting' | 'serving' | 'stopping' = 'starting';
  readonly #sources: HealthSources;
  #answering: Promise<boolean> | undefined;

  constructor(sources: HealthSources) {
    this.#sources = sources;
  }

  /** The response to `/healthz`. */
  async liveness(): Promise<HealthResponse> {
    // threads reply only while the service is serving
    if (this.phase === 'serving' && !(await this.#isAnswering())) return notReady('no thread answers');
    return { status: 200, body: '{"status":"alive"}' };
  }

  /** The response to `/readyz`. */
  async readiness(): Promise<HealthResponse> {
    if (this.phase === 'starting') return notReady('the service is starting');
    const isAnswering = this.phase === 'serving' && (await this.#isAnswering());
    if (this.phase !== 'serving') return notReady('the service is shutting down');
    if (!isAnswering) return notReady('no thread answers');
    const notice = this.#sources.notice() || undefined; // an empty notice is omitted
    return { status: 200, body: JSON.stringify({ status: 'ready', threads: this.#sources.servedData(), notice }) };
  }

  /** Requests that arrive at the same time share one question to the threads. */
  async #isAnswering(): Promise<boolean> {
    this.#answering ??= this.#sources.isAnswering().finally(() => {
      this.#answering = undefined;
    });
    return await this.#answering;
  }
}

function notReady(message: string): HealthResponse {
  return errorResponse(new RequestError('not_ready', { message }), randomUUID());
}
