/** Checks of the machine: processors, memory, descriptors, clock, state folder and disk. */
import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { createRateBuffer } from '../../access/limits/rate-limiter.ts';
import { errorReason } from '../../errors/errors.ts';
import { selectIpDatabases } from '../../locate/ip-database.ts';
import { CACHE_BYTES } from '../../serve/serve.ts';
import { generatedFiles } from '../../serve/tls/certificate.ts';
import { formatCount, formatMegabytes } from '../print/facts.ts';
import { type DoctorContext, judge, ok, problem, type Verdict, warning } from './check.ts';
import { servedIndex } from './data.ts';

export function* checkProcessors({ settings: { threads }, machine: { cores } }: DoctorContext): Generator<Verdict> {
  const message = `${threads} worker ${threads === 1 ? 'thread' : 'threads'}, ${cores} usable ${cores === 1 ? 'core' : 'cores'}`;
  const advice = `Set --threads ${cores}: more threads than cores only take memory and wait for each other.`;
  yield judge({ isWarning: threads > cores }, message, advice);
}

// 372, 423 and 516 MB were measured with 1, 2 and 4 idle threads, the embedded index of 82 MB and the
// IP data of 134 MB
const BASE_BYTES = 108e6;
const THREAD_BYTES = 48e6;
/** What a thread takes more at work, by estimate: heap, results of short prefixes. */
const THREAD_WORK_BYTES = 72e6;
/** Building the index of the embedded data, for some seconds of the first start. */
const BUILD_BYTES = 1000e6;

export function* checkMemory(context: DoctorContext): Generator<Verdict> {
  const { threads, ipDatabase } = context.settings;
  const limitBytes = context.machine.memoryBytes;
  const { choice, path } = servedIndex(context);
  if (choice.kind === 'embedded' && !existsSync(path) && limitBytes < BUILD_BYTES) {
    const message = `limit ${formatMegabytes(limitBytes)}; the first start builds an index, for which it takes ${formatMegabytes(BUILD_BYTES)}`;
    const advice = 'Raise the limit for the first start, or build the index elsewhere and name it with --index.';
    return yield problem(message, advice);
  }
  const ipBytes = selectIpDatabases(ipDatabase).reduce((sum, each) => sum + fileBytes(each), 0);
  const idleBytes = BASE_BYTES + threads * THREAD_BYTES + fileBytes(path) + ipBytes;
  // during a reload, two indexes are in memory
  const workBytes = threads * THREAD_WORK_BYTES + fileBytes(path) + CACHE_BYTES + createRateBuffer().byteLength;
  const need = `about ${formatMegabytes(idleBytes)} when idle and up to about ${formatMegabytes(idleBytes + workBytes)} at full load and during a reload`;
  const message = `limit ${formatMegabytes(limitBytes)}; the service takes ${need}`;
  const advice =
    'Raise the limit of the container, or save memory: fewer --threads, --ip-database none, a smaller index.';
  yield judge({ isProblem: limitBytes < idleBytes, isWarning: limitBytes < idleBytes + workBytes }, message, advice);
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
export function* checkDescriptors({ machine: { maxDescriptors: limit } }: DoctorContext): Generator<Verdict> {
  if (limit === undefined) return;
  const connections = Math.max(0, limit - OWN_DESCRIPTORS);
  const message = `limit ${formatCount(limit)}: enough for ${formatCount(connections)} connections`;
  const advice =
    'Raise the limit of the service: LimitNOFILE= in its systemd unit, --ulimit nofile= of its container, or ulimit -n.';
  yield judge({ isProblem: connections === 0, isWarning: connections < MIN_CONNECTIONS }, message, advice);
}

/** This program did not exist before. */
const EARLIEST = new Date('2026-01-01');
const LATEST = new Date('2100-01-01');
/** Files of the state folder may come from a machine whose clock differs a little. */
const CLOCK_TOLERANCE_MS = 3_600_000;

/** Certificates and keys end by the clock. */
export function* checkClock({ state, now }: DoctorContext): Generator<Verdict> {
  const time = `it shows ${now.toISOString()}`;
  const advice = 'Set the clock, and keep it right with NTP (timedatectl set-ntp true).';
  if (now < EARLIEST || now > LATEST) return yield problem(`${time}, which cannot be right`, advice);
  for (const path of [state.keysPath, state.firstKeyPath, state.redisKeysPath]) {
    const written = statSync(path, { throwIfNoEntry: false })?.mtime ?? now;
    if (written.getTime() <= now.getTime() + CLOCK_TOLERANCE_MS) continue;
    return yield problem(`${time}, but ${path} was written later: ${written.toISOString()}`, advice);
  }
  yield ok(time);
}

const OTHERS = 0o007;
const OTHERS_MAY_WRITE = 0o002;
/** Magic numbers of statfs(2): NFS, SMB2, CIFS. */
const NETWORK_FILE_SYSTEMS: readonly number[] = [0x6969, 0xfe534d42, 0xff534d42];

export function* checkStateFolder({ state, machine }: DoctorContext): Generator<Verdict> {
  const { path } = state;
  const folder = existingFolder(path);
  const stats = statSync(folder);
  const refusal = writeRefusal(folder);
  if (refusal !== undefined) {
    const advice = `Give ${folder} to the user of the service (chown), see that its disk is not mounted read-only, or choose another folder with --state.`;
    return yield problem(`${folder} cannot be written: ${refusal}`, advice);
  }
  yield ok(folder === path ? `${path} can be written` : `${path} does not exist yet: the first start creates it`);
  if (folder !== path) return;
  const user = process.getuid?.(); // undefined on Windows, where owners mean nothing
  if (user !== undefined && stats.uid !== user) {
    const message = `${path} belongs to user ${stats.uid}, and this command runs as user ${user}`;
    yield warning(message, 'Run the service and its commands as the owner of the folder.');
  }
  if (NETWORK_FILE_SYSTEMS.includes(machine.diskOf(path).type)) {
    const advice = 'Choose a local disk with --state, or keep the keys in Redis (--redis).';
    yield problem(`${path} is on a network file system, where SQLite cannot lock the key store`, advice);
  }
  if (isOpenToAll(path)) {
    const level = { isProblem: (stats.mode & OTHERS_MAY_WRITE) !== 0, isWarning: true };
    yield judge(level, `every user of this machine may use ${path}`, `Run: chmod 700 ${path}`);
  }
  const secrets = [state.keysPath, state.firstKeyPath, state.redisKeysPath, generatedFiles(path).keyPath];
  for (const file of secrets.filter(isOpenToAll)) {
    yield problem(`every user of this machine may read ${file}`, `Run: chmod 600 ${file}`);
  }
}

/** False if the file does not exist. */
export function isOpenToAll(file: string): boolean {
  const stats = statSync(file, { throwIfNoEntry: false });
  // on Windows modes mean nothing
  return process.platform !== 'win32' && stats !== undefined && (stats.mode & OTHERS) !== 0;
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

export function* checkDisk(context: DoctorContext): Generator<Verdict> {
  const folder = existingFolder(context.state.path);
  const { bavail, bsize, files, ffree } = context.machine.diskOf(folder);
  const freeBytes = bavail * bsize;
  const advice = 'Free some space on that disk, or move the state folder to another one and name it with --state.';
  // some file systems count no files
  if (files > 0 && ffree === 0) return yield problem(`the disk of ${folder} has no room for another file`, advice);
  const message = `${formatMegabytes(freeBytes)} free on the disk of ${folder}`;
  if (freeBytes < MIN_FREE_BYTES) return yield problem(`${message}: too little to store keys`, advice);
  const { choice, path } = servedIndex(context);
  // a new version of an index at a URL is about as large as the copy
  const downloadBytes = choice.kind === 'url' ? fileBytes(path) : 0;
  const neededBytes = Math.max(COMFORTABLE_BYTES, downloadBytes + MIN_FREE_BYTES);
  const need = `${message}: the keys and a new version of the index may need ${formatMegabytes(neededBytes)}`;
  yield freeBytes < neededBytes ? warning(need, advice) : ok(message);
}
