/** Asks the service that runs on this machine whether it is ready: for health checks, `serve` and `doctor`. */

import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { type RequestOptions, request as requestTls } from 'node:https';
import { text } from 'node:stream/consumers';
import { Command } from 'commander';
import { UsageError } from 'toponym-files/errors/errors';
import { request as requestPlain } from 'toponym-server/http/node-http';
import { localHosts } from 'toponym-server/serve/listen/listen-address';
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
    const plain = { protocol: 'http:', path: '/readyz', port: metricsPort };
    return localHosts(metricsHost).map((local) => ({ ...plain, host: local }));
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

/** The flags of `toponym serve` in the text of /proc/PID/cmdline; none if it is another program. */
export function serveFlags(commandLine: string): Record<string, unknown> {
  const words = commandLine.split('\0').slice(0, -1); // each ends with a zero byte
  const start = words.indexOf('serve');
  if (start === -1) return {};
  const command = addSettings(new Command('serve'), SERVE_SETTINGS).allowUnknownOption().allowExcessArguments();
  return command.parse(words.slice(start + 1), { from: 'user' }).opts();
}

/** Sends a request, for which the service has `timeoutMs`. */
export async function send(options: RequestOptions, timeoutMs: number): Promise<IncomingMessage> {
  const request = options.protocol === 'http:' ? requestPlain : requestTls;
  const sent = request({ ...options, agent: false, signal: AbortSignal.timeout(timeoutMs) });
  const [response] = (await once(sent.end(), 'response')) as [IncomingMessage];
  return response;
}

interface RunningToponym {
  readonly version: string;
  /** Why the service is not ready; empty if it is. */
  readonly readiness: string;
  /** The notice of `/readyz`; empty if there is none. */
  readonly notice: string;
}

/** A service on a busy machine may need seconds. */
const TIMEOUT_MS = 5000;

/** Returns undefined if no Toponym answers on this machine. */
export async function askService(settings: AddressSettings): Promise<RunningToponym | undefined> {
  // a running service may have been started without metrics
  for (const metricsPort of new Set([settings.metricsPort, undefined])) {
    try {
      return await Promise.any(readyRequests({ ...settings, metricsPort }).map(ask));
    } catch {
      // no Toponym answers there
    }
  }
  return undefined;
}

async function ask(request: RequestOptions): Promise<RunningToponym> {
  const get = async (path: string) => await text(await send({ ...request, path }, TIMEOUT_MS));
  const { status, notice = '', code, message = 'no reason given' } = JSON.parse(await get('/readyz'));
  if (status !== 'ready' && code !== 'not_ready') throw new Error('the answer is not that of a Toponym');
  const details = await Promise.all(['/metrics', '/openapi.json'].map(get));
  const [, version = 'of unknown version'] = /(?:_build_info\{version=|"version":)"([^"]+)"/.exec(details.join()) ?? [];
  return { version, readiness: code === 'not_ready' ? message : '', notice };
}
