import type { RequestOptions } from 'node:https';
import { UsageError } from '../../errors/errors.ts';
import { localHosts } from '../../serve/listen/listen-address.ts';
import type { Settings } from '../settings/settings.ts';

type AddressSettings = Pick<Settings, 'host' | 'port' | 'behindProxy' | 'tlsClientCa' | 'metricsHost' | 'metricsPort'>;

/**
 * Requests that ask a service on this machine whether it is ready. They differ in the host: a
 * machine may lack an address of loopback. The listener of the metrics is preferred, because behind
 * a proxy the service may answer only the proxy.
 */
export function readyRequests(settings: AddressSettings): RequestOptions[] {
  const { host, port, behindProxy, tlsClientCa, metricsHost, metricsPort } = settings;
  if (metricsPort) {
    return localHosts(metricsHost).map((local) => ({
      protocol: 'http:',
      path: '/readyz',
      host: local,
      port: metricsPort,
    }));
  }
  if (tlsClientCa !== undefined) {
    throw new UsageError(
      'the health check has no client certificate, and --tls-client-ca asks for one. Set TOPONYM_METRICS_PORT to a port for the check.',
    );
  }
  // the certificate may be self-signed or for another name, and nothing secret is sent
  const fixed = { protocol: behindProxy ? 'http:' : 'https:', path: '/readyz', rejectUnauthorized: false };
  if (host.startsWith('unix:')) return [{ ...fixed, socketPath: host.slice('unix:'.length) }];
  if (port === 0) throw new UsageError('the health check needs a fixed port, got 0. Set TOPONYM_PORT.');
  return localHosts(host).map((local) => ({ ...fixed, host: local, port }));
}
