/** Counts connections that were refused or closed to make room, and logs at most one line a minute per reason. */
import type { Logger } from '../log.ts';
import type { TooMany } from './open-connections.ts';

export type RefusalReason =
  | 'untrusted_peer'
  | 'bad_proxy_header'
  | 'slow_proxy_header'
  | 'no_client_certificate'
  | 'bad_client_certificate'
  | TooMany;

const MESSAGES: Readonly<Record<RefusalReason, string>> = {
  untrusted_peer: 'a peer that is not one of the --trusted-proxies was refused',
  bad_proxy_header: 'a connection of a trusted proxy had no valid PROXY header and was closed',
  slow_proxy_header: 'a connection of a trusted proxy sent no complete PROXY header in time and was closed',
  no_client_certificate: 'a client without a certificate was refused',
  bad_client_certificate: 'a client was refused because its certificate does not pass --tls-client-ca',
  too_many_connections:
    'the limit of open files leaves no descriptor for another connection: the one idle for longest was closed',
  too_many_of_address: 'an address has too many connections: the one idle for longest was closed',
};
const LOG_INTERVAL_MS = 60_000;

export class RefusedConnections {
  readonly counts: Record<RefusalReason, number> = {
    untrusted_peer: 0,
    bad_proxy_header: 0,
    slow_proxy_header: 0,
    no_client_certificate: 0,
    bad_client_certificate: 0,
    too_many_connections: 0,
    too_many_of_address: 0,
  };
  readonly #log: Pick<Logger, 'warn'>;
  readonly #lastLoggedMs = new Map<RefusalReason, number>();

  constructor(log: Pick<Logger, 'warn'>) {
    this.#log = log;
  }

  /** `detail` is logged. `nowMs` is a monotonic time. */
  add(
    reason: RefusalReason,
    peer: string | undefined,
    { detail, nowMs = performance.now() }: { detail?: string | undefined; nowMs?: number } = {},
  ): void {
    this.counts[reason]++;
    const lastMs = this.#lastLoggedMs.get(reason);
    if (lastMs !== undefined && nowMs - lastMs < LOG_INTERVAL_MS) return;
    this.#lastLoggedMs.set(reason, nowMs);
    this.#log.warn({ peer, detail, refusedSoFar: this.counts[reason] }, MESSAGES[reason]);
  }
}
