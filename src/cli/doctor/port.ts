/** The ports: free, or served by a Toponym that answers. */
import { UsageError } from '../../errors/usage-error.ts';
import {
  AddressInUseError,
  checkPortIsFree,
  checkSocketIsFree,
  type ListenAddress,
  resolveAddress,
} from '../../serve/listen/listen-address.ts';
import { localAccess } from '../../serve/listen/proxy-settings.ts';
import type { DoctorContext } from './check.ts';
import { ok, problem, type Verdict, warning } from './finding.ts';
import { askService, type RunningToponym } from './running-toponym.ts';

type Settings = DoctorContext['settings'];

export async function checkPort({ settings }: DoctorContext): Promise<Verdict[]> {
  const address = await tryResolve(settings);
  if (address === undefined) return []; // the settings are refused
  const metrics = metricsAddress(settings);
  const refusal = await listenRefusal(address);
  const metricsRefusal = metrics && (await listenRefusal(metrics));
  const mayRun = mayBeService(refusal) || mayBeService(metricsRefusal);
  const running = mayRun ? await askService(settings) : undefined;
  const name = address.kind === 'unix' ? address.path : `${address.host} port ${address.port}`;
  const verdict =
    refusal === undefined ? ok(freeText(address, name)) : judgeRefused(name, { refusal, running, address, settings });
  if (metrics === undefined) return [verdict];
  return [verdict, judgeMetricsPort(`${metrics.host} port ${metrics.port} for metrics`, metricsRefusal, running)];
}

/** Whether the service may be what keeps others from listening. Systems check permissions first. */
function mayBeService(refusal: UsageError | undefined): boolean {
  return refusal instanceof AddressInUseError || (refusal?.cause as NodeJS.ErrnoException)?.code === 'EACCES';
}

interface RefusedAddress {
  readonly refusal: UsageError;
  readonly running: RunningToponym | undefined;
  readonly address: ListenAddress;
  readonly settings: Settings;
}

function judgeRefused(name: string, { refusal, running, address, settings }: RefusedAddress): Verdict {
  if (running !== undefined && mayBeService(refusal)) return judgeRunning(name, running);
  if (!(refusal instanceof AddressInUseError)) {
    return problem(refusal.message, 'Correct --host or --port, or the permissions of the service.');
  }
  const access = localAccess(address, settings);
  if (access === undefined || access.hasProxyHeader || settings.tlsClientCa !== undefined) {
    const message = `${name} is in use, perhaps by this service, which does not answer strangers`;
    return warning(message, 'Set --metrics-port: its /readyz answers every client on this machine.');
  }
  return problem(refusal.message, 'Find the program that has it (ss -ltnp), and stop it or choose another --port.');
}

function judgeRunning(name: string, { version, readiness, notice }: RunningToponym): Verdict {
  const program = `${name} is served by Toponym ${version}`;
  if (readiness !== '') return problem(`${program}, which is not ready: ${readiness}`, 'Wait, or read its log.');
  if (notice !== '') return warning(`${program}, which is ready with a notice: ${notice}`, 'Read its log.');
  return ok(`${program}, which is ready`);
}

/** Undefined if the service opens no port for metrics, or picks a free one. */
function metricsAddress({ metricsHost: host, metricsPort: port }: Settings) {
  return port === undefined || port === 0 ? undefined : ({ kind: 'tcp', host, port } as const);
}

function judgeMetricsPort(name: string, refusal: UsageError | undefined, running: RunningToponym | undefined): Verdict {
  if (refusal === undefined) return ok(`${name} is free`);
  if (running !== undefined && mayBeService(refusal)) return ok(`${name} is in use by the same service`);
  if (!(refusal instanceof AddressInUseError)) {
    return problem(refusal.message, 'Correct --metrics-host or --metrics-port, or the permissions of the service.');
  }
  return problem(`${name} is in use by another program`, 'Stop that program, or choose another --metrics-port.');
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
