/** The ports: free, or served by a Toponym that answers. */
import { lstatSync } from 'node:fs';
import { connect } from 'node:net';
import { errorMessage } from '../../errors/error-message.ts';
import { UsageError } from '../../errors/usage-error.ts';
import { checkPortIsFree, type ListenAddress, resolveAddress } from '../../serve/listen/listen-address.ts';
import { localAccess } from '../../serve/listen/proxy-settings.ts';
import type { DoctorContext } from './check.ts';
import { ok, problem, type Verdict, warning } from './finding.ts';
import { askService, type RunningToponym } from './running-toponym.ts';

type Settings = DoctorContext['settings'];

export async function checkPort({ settings }: DoctorContext): Promise<Verdict[]> {
  const address = await tryResolve(settings);
  if (address === undefined) return []; // the settings are refused
  const refusal = await listenRefusal(address);
  const running = refusal === undefined ? undefined : await askService(settings);
  const name = address.kind === 'unix' ? address.path : `${address.host} port ${address.port}`;
  const verdict =
    refusal === undefined ? ok(freeText(address, name)) : judgeTaken(name, { refusal, running, address, settings });
  return [verdict, ...(await checkMetricsPort(settings, running))];
}

interface TakenAddress {
  readonly refusal: string;
  readonly running: RunningToponym | undefined;
  readonly address: ListenAddress;
  readonly settings: Settings;
}

function judgeTaken(name: string, { refusal, running, address, settings }: TakenAddress): Verdict {
  if (running !== undefined) return judgeRunning(name, running);
  const access = localAccess(address, settings);
  if (access === undefined || access.hasProxyHeader || settings.tlsClientCa !== undefined) {
    const message = `${name} is in use, perhaps by this service, which does not answer strangers`;
    return warning(message, 'Set --metrics-port: its /readyz answers every client on this machine.');
  }
  return problem(refusal, 'Find the program that has it (ss -ltnp), and stop it or choose another --port.');
}

function judgeRunning(name: string, { version, readiness, notice }: RunningToponym): Verdict {
  const program = `${name} is served by Toponym ${version}`;
  if (readiness !== '') return problem(`${program}, which is not ready: ${readiness}`, 'Wait, or read its log.');
  if (notice !== '') return warning(`${program}, which is ready with a notice: ${notice}`, 'Read its log.');
  return ok(`${program}, which is ready`);
}

async function checkMetricsPort(
  { metricsHost, metricsPort }: Settings,
  running: RunningToponym | undefined,
): Promise<Verdict[]> {
  if (metricsPort === undefined || metricsPort === 0) return [];
  const refusal = await listenRefusal({ kind: 'tcp', host: metricsHost, port: metricsPort });
  const name = `${metricsHost} port ${metricsPort} for metrics`;
  if (refusal === undefined) return [ok(`${name} is free`)];
  if (running !== undefined) return [ok(`${name} is in use by the same service`)];
  return [problem(`${name} is in use by another program`, 'Stop that program, or choose another --metrics-port.')];
}

function freeText(address: ListenAddress, name: string): string {
  return address.kind === 'tcp' && address.port === 0 ? 'port 0: the service picks a free one' : `${name} is free`;
}

async function tryResolve(settings: Settings): Promise<ListenAddress | undefined> {
  try {
    return await resolveAddress(settings);
  } catch (error) {
    if (error instanceof UsageError) return undefined;
    throw error;
  }
}

/** Why the service cannot listen there; undefined if it can. */
async function listenRefusal(address: ListenAddress): Promise<string | undefined> {
  if (address.kind === 'unix') return await socketRefusal(address.path);
  try {
    await checkPortIsFree(address.host, address.port);
    return undefined;
  } catch (error) {
    return errorMessage(error);
  }
}

/** The service deletes a socket that nobody listens on. */
async function socketRefusal(path: string): Promise<string | undefined> {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return undefined;
  if (!stats.isSocket()) return `${path} exists and is not a socket`;
  const { promise, resolve } = Promise.withResolvers<NodeJS.ErrnoException | undefined>();
  const probe = connect(path, () => resolve(undefined)).once('error', resolve);
  const error = await promise;
  probe.destroy();
  return error?.code === 'ECONNREFUSED' ? undefined : `the Unix socket ${path} is in use by another program`;
}
