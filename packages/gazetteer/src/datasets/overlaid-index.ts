/**
 * The index that an overlay makes of another index: all places, with the changes of the overlay. It is built in a
 * thread and kept in a file whose name has a hash of both and of the code, so that it is built once.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { HEAD_BYTES } from 'toponym-engine/index-file/layout';
import { UsageError } from 'toponym-files/errors/errors';
import { readIndexFile } from 'toponym-files/index-file';
import { makeFolder } from 'toponym-files/new-file';
import { removeLeftovers } from 'toponym-files/replace-file';
import { readOverlay } from '../sources/read-overlay.ts';
import type { OnProgress } from '../sources/report.ts';
import { codeHash } from './embedded-index.ts';
import { buildSources } from './source-build.ts';

export interface OverlaidOptions {
  /** Where to keep the index; undefined if it cannot be kept. */
  readonly folder: string | undefined;
  readonly onProgress?: OnProgress | undefined;
  /** Aborts the build, with an AbortError. */
  readonly stopping?: AbortSignal | undefined;
  /** By default in this thread. */
  readonly readIndex?: ((path: string) => Promise<SharedArrayBuffer>) | undefined;
}

const NAME = /^overlaid-[0-9a-f]+\.toponym$/;
/** The name of a temporary file for an index. */
const UNFINISHED = /^\.(overlaid-[0-9a-f]+\.toponym)\..*\.tmp$/;
/** The overlay being edited, and those of two other services or commands. */
const MAX_KEPT = 3;
/** Services mark theirs each minute. During edits, each index made meanwhile takes disk space. */
const MIN_UNUSED_MS = 2 * 60_000;

export interface OverlaidIndex {
  /** Until the process ends, if it cannot be kept. */
  readonly path: string;
  /** What was read to verify a kept file. */
  readonly index?: SharedArrayBuffer;
}

/** Throws UsageError for an overlay that cannot be read or applied. */
export async function overlaidIndex(
  base: ArrayBuffer | SharedArrayBuffer,
  overlayPath: string,
  { folder, ...options }: OverlaidOptions,
): Promise<OverlaidIndex> {
  try {
    if (folder !== undefined) return await keptIndex(base, overlayPath, { folder, ...options });
  } catch (error) {
    if (!isDiskFull(error)) throw error;
  }
  return await keptIndex(base, overlayPath, { folder: temporaryFolder(), ...options });
}

let temporary: string | undefined;

/** One for this process, removed when it ends. */
function temporaryFolder(): string {
  if (temporary !== undefined) return temporary;
  const folder = mkdtempSync(join(tmpdir(), 'toponym-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  temporary = folder;
  return folder;
}

async function keptIndex(
  base: ArrayBuffer | SharedArrayBuffer,
  overlayPath: string,
  options: OverlaidOptions & { readonly folder: string },
): Promise<OverlaidIndex> {
  const { folder, onProgress = () => {}, stopping, readIndex = async (file) => readIndexFile(file) } = options;
  const path = resolve(overlayPath);
  const text = readOverlay(path);
  const out = join(folder, indexName(base, text));
  makeFolder(folder);
  // a damaged file is built again
  const index = existsSync(out) ? await readIndex(out).catch(() => undefined) : undefined;
  if (index !== undefined) {
    markUsed(out);
    return { path: out, index };
  }
  removeOldest(folder);
  const sources = [
    { format: 'index', paths: [], content: base },
    { format: 'overlay', paths: [path], content: text },
  ] as const;
  const outName = 'the index with the overlay';
  const { report } = await buildSources({ sources, out, outName, isBackground: true }, onProgress, stopping);
  if (report.places === 0) throw new UsageError(`The overlay ${path} hides every place.`);
  return { path: out };
}

/** Keeps the file from being removed for the next two minutes. A file beside it, because services watch the index. */
export function markUsed(path: string): void {
  try {
    writeFileSync(usedPath(path), '');
  } catch {} // a disk that is full or cannot be written
}

function usedPath(path: string): string {
  return `${path}.used`;
}

/** The head of an index has the checksums of all its sections. */
function indexName(base: ArrayBuffer | SharedArrayBuffer, overlay: string): string {
  const hash = createHash('sha256')
    .update(new Uint8Array(base, 0, HEAD_BYTES))
    .update(overlay)
    .update(codeHash());
  return `overlaid-${hash.digest('hex').slice(0, 12)}.toponym`;
}

function isDiskFull(error: unknown): boolean {
  const { code } = ((error as Error).cause ?? error) as NodeJS.ErrnoException;
  return code === 'ENOSPC' || code === 'EDQUOT';
}

/** Makes room for another index. */
function removeOldest(folder: string): void {
  const names = readdirSync(folder);
  for (const name of names) {
    const [, unfinished] = UNFINISHED.exec(name) ?? [];
    if (unfinished !== undefined) removeLeftovers(join(folder, unfinished));
  }
  const paths = names.filter((name) => NAME.test(name)).map((name) => join(folder, name));
  const writtenMs = (path: string) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const usedMs = (path: string) => Math.max(writtenMs(path), writtenMs(usedPath(path)));
  const newestFirst = paths.map((path) => ({ path, ms: usedMs(path) })).sort((a, b) => b.ms - a.ms);
  for (const { path, ms } of newestFirst.slice(MAX_KEPT - 1)) {
    if (ms < Date.now() - MIN_UNUSED_MS) for (const each of [path, usedPath(path)]) rmSync(each, { force: true });
  }
}
