/** Checks of the settings and of the machine: processors, memory, descriptors, clock, state folder, disk and ports. */

import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { createRateBuffer } from '../../access/limits/rate-limiter.ts';
import { checkCompatSettings, warnOfCompatSettings } from '../../compat/compat-settings.ts';
import { errorReason, UsageError } from '../../errors/errors.ts';
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
} from '../../serve/listen/listen-address.ts';
import type { Logger } from '../../serve/log.ts';
import { checkMetricsSettings, METRICS_FLAGS } from '../../serve/metrics/metrics-server.ts';
import { CACHE_BYTES, COMPAT_FLAGS, resolveCompatAddress } from '../../serve/serve.ts';
import { checkTlsSettings, generatedFiles } from '../../serve/tls/certificate.ts';
import { askService } from '../container/ready-request.ts';
import { formatCount, formatMegabytes, plural } from '../print/facts.ts';
import { isOpenToAll, servedIndex } from './data.ts';
import type { Check, DoctorContext, Verdict, Verdicts } from './examine.ts';

export const CORRECT_SETTING = 'Correct the setting: "toponym serve" does not start with it.';

export const MACHINE_CHECKS: readonly Check[] = [
  { area: 'settings', examine: checkSettings, remedy: CORRECT_SETTING, isRemote: true },
  { area: 'processors', examine: checkProcessors },
  { area: 'memory', examine: checkMemory },
  { area: 'descriptors', examine: checkDescriptors },
  { area: 'clock', examine: checkClock },
  { area: 'state folder', examine: checkStateFolder },
  { area: 'disk', examine: checkDisk },
];
export const PORT_CHECK: Check = { area: 'port', examine: checkPort, isRemote: true };

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

function checkProcessors({ settings: { threads }, machine: { cores } }: DoctorContext): Verdict[] {
  const message = `${plural(threads, 'worker thread')}, ${plural(cores, 'usable core')}`;
  const remedy = `Set --threads ${cores}: more threads than cores only take memory and wait for each other.`;
  return [[threads > cores ? 'warning' : 'ok', message, remedy]];
}

// 207, 230 and 273 MB were measured with 1, 2 and 4 idle threads and an embedded index of 88 MB, now 94 MB
const BASE_BYTES = 97e6;
const THREAD_BYTES = 22e6;
/** What a thread takes more at work, by estimate: heap, results of short prefixes. */
const THREAD_WORK_BYTES = 80e6;
/** Building the index of the embedded data, for some seconds of the first start. */
const BUILD_BYTES = 1000e6;

function checkMemory(context: DoctorContext): Verdict[] {
  const { threads } = context.settings;
  const limitBytes = context.machine.memoryBytes;
  const limit = `limit ${formatMegabytes(limitBytes)}`;
  const { choice, path } = servedIndex(context);
  if (choice.kind === 'embedded' && !existsSync(path) && limitBytes < BUILD_BYTES) {
    const message = `${limit}; the first start builds an index, for which it takes ${formatMegabytes(BUILD_BYTES)}`;
    const remedy = 'Raise the limit for the first start, or build the index elsewhere and name it with --index.';
    return [['problem', message, remedy]];
  }
  const idleBytes = BASE_BYTES + threads * THREAD_BYTES + fileBytes(path);
  // during a reload, two indexes are in memory
  const workBytes = threads * THREAD_WORK_BYTES + fileBytes(path) + CACHE_BYTES + createRateBuffer().byteLength;
  const busyBytes = idleBytes + workBytes;
  return [
    [
      limitBytes < idleBytes ? 'problem' : limitBytes < busyBytes ? 'warning' : 'ok',
      `${limit}; the service takes about ${formatMegabytes(idleBytes)} when idle and up to about ${formatMegabytes(busyBytes)} at full load and during a reload`,
      'Raise the limit of the container, or save memory: fewer --threads, a smaller index.',
    ],
  ];
}

/** 0 if the file does not exist. */
function fileBytes(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

/** Descriptors for files, libraries, Redis and the metrics listener. */
const OWN_DESCRIPTORS = 512;
/** Clients keep their connections open. Two cores can answer as many clients that type. */
const MIN_CONNECTIONS = 10_000;

/** Node.js raises its soft limit to the hard limit, so the service would get the same limit. */
function checkDescriptors({ machine: { maxDescriptors: limit } }: DoctorContext): Verdict[] {
  if (limit === undefined) return [];
  const connections = Math.max(0, limit - OWN_DESCRIPTORS);
  return [
    [
      connections === 0 ? 'problem' : connections < MIN_CONNECTIONS ? 'warning' : 'ok',
      `limit ${formatCount(limit)}: enough for ${formatCount(connections)} connections`,
      'Raise the limit of the service: LimitNOFILE= in its systemd unit, --ulimit nofile= of its container, or ulimit -n.',
    ],
  ];
}

/** This program did not exist before. */
const EARLIEST = new Date('2026-01-01');
const LATEST = new Date('2100-01-01');
/** Files of the state folder may come from a machine whose clock differs a little. */
const CLOCK_TOLERANCE_MS = 3_600_000;

/** Certificates and keys end by the clock. */
function checkClock({ state, now }: DoctorContext): Verdict[] {
  const time = `it shows ${now.toISOString()}`;
  const remedy = 'Set the clock, and keep it right with NTP (timedatectl set-ntp true).';
  if (now < EARLIEST || now > LATEST) return [['problem', `${time}, which cannot be right`, remedy]];
  for (const path of [state.keysPath, state.firstKeyPath, state.redisKeysPath]) {
    const written = statSync(path, { throwIfNoEntry: false })?.mtime ?? now;
    if (written.getTime() <= now.getTime() + CLOCK_TOLERANCE_MS) continue;
    return [['problem', `${time}, but ${path} was written later: ${written.toISOString()}`, remedy]];
  }
  return [['ok', time]];
}

const OTHERS_MAY_WRITE = 0o002;
/** Magic numbers of statfs(2): NFS, SMB2, CIFS. */
const NETWORK_FILE_SYSTEMS: readonly number[] = [0x6969, 0xfe534d42, 0xff534d42];

function* checkStateFolder({ state, machine }: DoctorContext): Generator<Verdict> {
  const { path } = state;
  const folder = existingFolder(path);
  const { uid, mode } = statSync(folder);
  const refusal = writeRefusal(folder);
  if (refusal !== undefined) {
    const remedy = `Give ${folder} to the user of the service (chown), see that its disk is not mounted read-only, or choose another folder with --state.`;
    return yield ['problem', `${folder} cannot be written: ${refusal}`, remedy];
  }
  if (folder !== path) return yield ['ok', `${path} does not exist yet: the first start creates it`];
  yield ['ok', `${path} can be written`];
  const user = process.getuid?.(); // undefined on Windows, where owners mean nothing
  if (user !== undefined && uid !== user) {
    const message = `${path} belongs to user ${uid}, and this command runs as user ${user}`;
    yield ['warning', message, 'Run the service and its commands as the owner of the folder.'];
  }
  if (NETWORK_FILE_SYSTEMS.includes(machine.diskOf(path).type)) {
    const remedy = 'Choose a local disk with --state, or keep the keys in Redis (--redis).';
    yield ['problem', `${path} is on a network file system, where SQLite cannot lock the key store`, remedy];
  }
  if (isOpenToAll(path)) {
    const level = (mode & OTHERS_MAY_WRITE) === 0 ? 'warning' : 'problem';
    yield [level, `every user of this machine may use ${path}`, `Run: chmod 700 ${path}`];
  }
  const secrets = [state.keysPath, state.firstKeyPath, state.redisKeysPath, generatedFiles(path).keyPath];
  for (const file of secrets.filter(isOpenToAll)) {
    yield ['problem', `every user of this machine may read ${file}`, `Run: chmod 600 ${file}`];
  }
}

/** The folder, or the nearest one around it that exists. */
function existingFolder(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : existingFolder(dirname(path));
}

function writeRefusal(folder: string): string | undefined {
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
    return statSync(folder).isDirectory() ? undefined : 'not a folder';
  } catch (error) {
    return errorReason(error);
  }
}

/** The key store needs room for its log. */
const MIN_FREE_BYTES = 16 * 1024 * 1024;
const COMFORTABLE_BYTES = 256 * 1024 * 1024;

function checkDisk(context: DoctorContext): Verdict[] {
  const folder = existingFolder(context.state.path);
  const { bavail, bsize, files, ffree } = context.machine.diskOf(folder);
  const freeBytes = bavail * bsize;
  const remedy = 'Free some space on that disk, or move the state folder to another one and name it with --state.';
  // some file systems count no files
  if (files > 0 && ffree === 0) return [['problem', `the disk of ${folder} has no room for another file`, remedy]];
  const message = `${formatMegabytes(freeBytes)} free on the disk of ${folder}`;
  if (freeBytes < MIN_FREE_BYTES) return [['problem', `${message}: too little to store keys`, remedy]];
  const { choice, path } = servedIndex(context);
  // a new version of an index at a URL is about as large as the copy
  const downloadBytes = choice.kind === 'url' ? fileBytes(path) : 0;
  const neededBytes = Math.max(COMFORTABLE_BYTES, downloadBytes + MIN_FREE_BYTES);
  if (freeBytes >= neededBytes) return [['ok', message]];
  const need = `the keys and a new version of the index may need ${formatMegabytes(neededBytes)}`;
  return [['warning', `${message}: ${need}`, remedy]];
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
