/** What a health check needs to know: the flags of the running service, and what to ask it. */

import type { RequestOptions } from 'node:https';
import { Command } from 'commander';
import { UsageError } from '../../errors/errors.ts';
import { localHosts } from '../../serve/listen/listen-address.ts';
import { addSettings } from '../settings/read-settings.ts';
import { SERVE_SETTINGS, type Settings } from '../settings/settings.ts';

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

/**
 * Reads the flags of `toponym serve` from the text of /proc/PID/cmdline: words that end with a zero
 * byte. The result is empty if the process is another program.
 */
export function serveFlags(commandLine: string): Record<string, unknown> {
  const words = commandLine.split('\0').slice(0, -1);
  const start = words.indexOf('serve');
  if (start === -1) return {};
  const command = addSettings(new Command('serve'), SERVE_SETTINGS).allowUnknownOption().allowExcessArguments();
  return command.parse(words.slice(start + 1), { from: 'user' }).opts();
}
