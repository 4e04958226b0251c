/** Checks the settings of the metrics listener against those of the service. */
import { UsageError } from '../../errors/usage-error.ts';
import type { ListenAddress } from '../listen/listen-address.ts';
import type { Logger } from '../log.ts';

export interface MetricsSettings {
  readonly metricsPort: number | undefined;
  readonly metricsHost: string;
}

/** Enough for scrapers and probes. Strangers may reach the listener if it is not on loopback. */
export const MAX_METRICS_CONNECTIONS = 200;

const DEFAULT_HOST = '127.0.0.1';
const WILDCARDS: readonly string[] = ['0.0.0.0', '::'];

/** Throws UsageError. Logs a host that has no effect. */
export function checkMetricsSettings(
  service: ListenAddress,
  { metricsPort, metricsHost }: MetricsSettings,
  log: Pick<Logger, 'warn'>,
): void {
  if (metricsPort === undefined) {
    if (metricsHost !== DEFAULT_HOST)
      log.warn(`--metrics-host ${metricsHost} has no effect: set --metrics-port to turn on the metrics listener`);
    return;
  }
  if (service.kind === 'unix' || metricsPort === 0 || metricsPort !== service.port) return;
  const isShared = service.host === metricsHost || [service.host, metricsHost].some((host) => WILDCARDS.includes(host));
  if (isShared)
    throw new UsageError(
      `--metrics-port ${metricsPort} is also the --port of the service on ${service.host}: choose another port for one of them (0 picks a free one).`,
    );
}
