/** Checks of the settings, the state folder and the ports. */

import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { errorReason, UsageError } from 'toponym-files/errors/errors';
import { checkCompatSettings, warnOfCompatSettings } from 'toponym-server/compat/compat-settings';
import {
  AddressInUseError,
  checkPortIsFree,
  checkProxySettings,
  checkSocketIsFree,
  type ListenAddress,
  listenErrorText,
  localAccess,
  resolveAddress,
  type TcpAddress,
  warnOfProxySettings,
} from 'toponym-server/serve/listen/listen-address';
import type { Logger } from 'toponym-server/serve/log';
import { checkMetricsSettings, METRICS_FLAGS } from 'toponym-server/serve/metrics/metrics-server';
import { COMPAT_FLAGS, resolveCompatAddress } from 'toponym-server/serve/serve';
import { checkTlsSettings, generatedFiles } from 'toponym-server/serve/tls/certificate';
import { askService } from '../container/ready-request.ts';
import { type Check, CORRECT_SETTING, type DoctorContext, type Verdict, type Verdicts } from './check.ts';

export const MACHINE_CHECKS: readonly Check[] = [
  { area: 'settings', examine: checkSettings, remedy: CORRECT_SETTING },
  { area: 'state folder', examine: checkStateFolder },
];
export const PORT_CHECK: Check = { area: 'port', examine: checkPort };

/** What `toponym serve` would refuse or warn of. */
async function* checkSettings({ settings }: DoctorContext): Verdicts {
  const warnings: string[] = [];
  const log = { warn: (text: string) => warnings.push(text) } as Pick<Logger, 'warn'>;
  checkProxySettings(settings);
  checkTlsSettings(settings);
  checkCompatSettings(settings);
  const address = await resolveAddress(settings);
  checkMetricsSettings(address, settings, log);
  await resolveCompatAddress(settings, address);
  warnOfProxySettings(address, settings, log);
  warnOfCompatSettings(settings, log);
  if (warnings.length === 0) yield ['ok', 'the service accepts them'];
  for (const text of warnings) yield ['warning', text, 'Change the setting, unless this is what you want.'];
}

const OTHERS = 0o007;
const OTHERS_MAY_WRITE = 0o002;
/** Magic numbers of statfs(2): NFS, SMB2, CIFS. */
const NETWORK_FILE_SYSTEMS: readonly number[] = [0x6969, 0xfe534d42, 0xff534d42];

function* checkStateFolder({ state, fileSystemOf }: DoctorContext): Generator<Verdict> {
  const { path } = state;
  const folder = existingFolder(path);
  const refusal = writeRefusal(folder);
  if (refusal !== undefined) {
    const remedy = `Give ${folder} to the user of the service (chown), see that its disk is not mounted read-only, or choose another folder with --state.`;
    return yield ['problem', `${folder} cannot be written: ${refusal}`, remedy];
  }
  if (folder !== path) return yield ['ok', `${path} does not exist yet: the first start creates it`];
  yield ['ok', `${path} can be written`];
  if (NETWORK_FILE_SYSTEMS.includes(fileSystemOf(path))) {
    const remedy = 'Choose a local disk with --state, or keep the keys in Redis (--redis).';
    yield ['problem', `${path} is on a network file system, where SQLite cannot lock the key store`, remedy];
  }
  if (hasMode(path, OTHERS_MAY_WRITE)) {
    yield ['problem', `every user of this machine may use ${path}`, `Run: chmod 700 ${path}`];
  }
  const secrets = [state.keysPath, state.firstKeyPath, state.redisKeysPath, generatedFiles(path).keyPath];
  for (const file of secrets.filter((each) => hasMode(each, OTHERS))) {
    yield ['problem', `every user of this machine may read ${file}`, `Run: chmod 600 ${file}`];
  }
}

/** The folder, or the nearest one around it that exists. */
function existingFolder(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : existingFolder(dirname(path));
}

/** Whether the file has one of these mode bits. False if it does not exist. */
function hasMode(file: string, bits: number): boolean {
  const stats = statSync(file, { throwIfNoEntry: false });
  // on Windows modes mean nothing
  return process.platform !== 'win32' && stats !== undefined && (stats.mode & bits) !== 0;
}

function writeRefusal(folder: string): string | undefined {
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
    return statSync(folder).isDirectory() ? undefined : 'not a folder';
  } catch (error) {
    return errorReason(error);
  }
}

/** Whether the ports are free, or served by a Toponym that answers. */
async function* checkPort({ settings }: DoctorContext): Verdicts {
  const address = await resolveAddress(settings).catch(() => undefined);
  if (address === undefined) return; // the check of the settings has the reason
  const { metricsHost, metricsPort } = settings;
  const metrics = metricsPort ? ({ kind: 'tcp', host: metricsHost, port: metricsPort } as const) : undefined;
  const refusal = await listenRefusal(address);
  const metricsRefusal = metrics && (await listenRefusal(metrics));
  const running = [refusal, metricsRefusal].some(mayBeService) ? await askService(settings) : undefined;

  const name = address.kind === 'unix' ? address.path : `${address.host} port ${address.port}`;
  const access = localAccess(address, settings);
  const isHidden = access === undefined || access.hasProxyHeader || settings.tlsClientCa !== undefined;
  if (refusal === undefined) yield ['ok', `${name} is free`];
  else if (running !== undefined && mayBeService(refusal)) {
    const program = `${name} is served by Toponym ${running.version}`;
    if (running.readiness !== '')
      yield ['problem', `${program}, which is not ready: ${running.readiness}`, 'Wait, or read its log.'];
    else if (running.notice !== '')
      yield ['warning', `${program}, which is ready with a notice: ${running.notice}`, 'Read its log.'];
    else yield ['ok', `${program}, which is ready`];
  } else if (refusal instanceof AddressInUseError && isHidden) {
    const message = `${name} is in use, perhaps by this service, which does not answer strangers`;
    yield ['warning', message, 'Set --metrics-port: its /readyz answers every client on this machine.'];
  } else yield ['problem', refusal.message, 'Find the program that has it (ss -ltnp), or correct --host or --port.'];

  yield* checkOtherPort(metrics, { refusal: metricsRefusal, running, flags: METRICS_FLAGS, purpose: 'metrics' });
  const compat = await resolveCompatAddress(settings, address).catch(() => undefined);
  const compatRefusal = compat && (await listenRefusal(compat));
  yield* checkOtherPort(compat, { refusal: compatRefusal, running, flags: COMPAT_FLAGS, purpose: 'adapters' });
}

interface OtherPort {
  readonly refusal: UsageError | undefined;
  readonly running: object | undefined;
  readonly flags: typeof COMPAT_FLAGS;
  readonly purpose: string;
}

function* checkOtherPort(address: TcpAddress | undefined, port: OtherPort): Generator<Verdict> {
  const { refusal, running, flags, purpose } = port;
  if (address === undefined || (running !== undefined && mayBeService(refusal))) return;
  const name = `${address.host} port ${address.port} for ${purpose}`;
  if (refusal === undefined) return yield ['ok', `${name} is free`];
  const remedy = `Find the program that has it (ss -ltnp), or correct ${[...new Set(Object.values(flags))].join(' or ')}.`;
  yield ['problem', listenErrorText(refusal.cause, name, flags), remedy];
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
