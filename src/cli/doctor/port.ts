/** Checks whether the ports are free, or served by a Toponym that answers. */
import { once } from 'node:events';
import { type IncomingMessage, request as requestPlain } from 'node:http';
import { type RequestOptions, request as requestTls } from 'node:https';
import { text } from 'node:stream/consumers';
import { UsageError } from '../../errors/errors.ts';
import {
  AddressInUseError,
  checkPortIsFree,
  checkSocketIsFree,
  type ListenAddress,
  listenErrorText,
  localAccess,
  resolveAddress,
} from '../../serve/listen/listen-address.ts';
import { readyRequests } from '../container/ready-request.ts';
import type { Settings } from '../settings/settings.ts';
import { type DoctorContext, ok, problem, type Verdict, warning } from './check.ts';

const TIMEOUT_MS = 3000;

export async function* checkPort({ settings }: DoctorContext): AsyncGenerator<Verdict> {
  const address = await resolveAddress(settings).catch(() => undefined);
  if (address === undefined) return; // the check of the settings has the reason
  const { metricsHost, metricsPort } = settings;
  const metrics = metricsPort ? ({ kind: 'tcp', host: metricsHost, port: metricsPort } as const) : undefined;
  const refusal = await listenRefusal(address);
  const metricsRefusal = metrics && (await listenRefusal(metrics));
  const running = [refusal, metricsRefusal].some(mayBeService) ? await askService(settings) : undefined;

  const name = address.kind === 'unix' ? address.path : `${address.host} port ${address.port}`;
  if (refusal === undefined) yield ok(`${name} is free`);
  else if (running !== undefined && mayBeService(refusal)) yield judgeRunning(name, running);
  else if (refusal instanceof AddressInUseError && isHidden(address, settings)) {
    const message = `${name} is in use, perhaps by this service, which does not answer strangers`;
    yield warning(message, 'Set --metrics-port: its /readyz answers every client on this machine.');
  } else yield problem(refusal.message, 'Find the program that has it (ss -ltnp), or correct --host or --port.');

  if (metrics === undefined || (running !== undefined && mayBeService(metricsRefusal))) return;
  const metricsName = `${metrics.host} port ${metrics.port} for metrics`;
  if (metricsRefusal === undefined) return yield ok(`${metricsName} is free`);
  const flags = { host: '--metrics-host', port: '--metrics-port' };
  const message = listenErrorText(metricsRefusal.cause, metricsName, flags);
  yield problem(message, 'Find the program that has it (ss -ltnp), or correct --metrics-host or --metrics-port.');
}

/** Why the service cannot listen there; undefined if it can. */
async function listenRefusal(address: ListenAddress): Promise<UsageError | undefined> {
  try {
    if (address.kind === 'unix') await checkSocketIsFree(address.path);
    else await checkPortIsFree(address.host, address.port);
    return undefined;
  } catch (error) {
    if (error instanceof UsageError) return error;
    throw error;
  }
}

/** Whether the service may be what keeps others from listening. Systems check permissions first. */
function mayBeService(refusal: UsageError | undefined): boolean {
  return refusal instanceof AddressInUseError || (refusal?.cause as NodeJS.ErrnoException)?.code === 'EACCES';
}

/** Whether the service would not answer a client on this machine. */
function isHidden(address: ListenAddress, settings: Settings): boolean {
  const access = localAccess(address, settings);
  return access === undefined || access.hasProxyHeader || settings.tlsClientCa !== undefined;
}

interface RunningToponym {
  readonly version: string;
  /** Why the service is not ready; empty if it is. */
  readonly readiness: string;
  /** The notice of `/readyz`; empty if there is none. */
  readonly notice: string;
}

function judgeRunning(name: string, { version, readiness, notice }: RunningToponym): Verdict {
  const program = `${name} is served by Toponym ${version}`;
  if (readiness !== '') return problem(`${program}, which is not ready: ${readiness}`, 'Wait, or read its log.');
  if (notice !== '') return warning(`${program}, which is ready with a notice: ${notice}`, 'Read its log.');
  return ok(`${program}, which is ready`);
}

/** Returns undefined if no Toponym answers on this machine. */
export async function askService(settings: Settings): Promise<RunningToponym | undefined> {
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
  const { status, notice = '', code, message = 'no reason given' } = JSON.parse(await get(request));
  if (status !== 'ready' && code !== 'not_ready') throw new Error('the answer is not that of a Toponym');
  const details = await Promise.all(['/metrics', '/openapi.json'].map((path) => get({ ...request, path })));
  const [, version = 'of unknown version'] = /(?:_build_info\{version=|"version":)"([^"]+)"/.exec(details.join()) ?? [];
  return { version, readiness: code === 'not_ready' ? message : '', notice };
}

async function get(options: RequestOptions): Promise<string> {
  const send = options.protocol === 'http:' ? requestPlain : requestTls;
  const request = send({ ...options, agent: false, signal: AbortSignal.timeout(TIMEOUT_MS) });
  const [response] = (await once(request.end(), 'response')) as [IncomingMessage];
  return await text(response);
}
