/**
 * A downloaded file and, beside it, a note of where it came from and its SHA-256. A file whose bytes are not those of the
 * note counts as missing. Both are for their owner only, and the note has no password. Both are written beside their final names, flushed and renamed: they are old or new, never half.
 */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, readFile, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

export interface FileNote {
  readonly url: string;
  readonly bytes: number;
  /** Hexadecimal. */
  readonly sha256: string;
  /** As the server sent them; empty where it did not. */
  readonly etag: string;
  readonly lastModified: string;
}

/** The note of a file that is whole and came from this address; undefined otherwise. */
export async function findKept(path: string, url: string): Promise<FileNote | undefined> {
  const note = await readNote<FileNote>(notePath(path));
  if (note?.url !== url) return undefined;
  try {
    const { bytes, sha256 } = await hashFile(path);
    if (bytes !== note.bytes || sha256 !== note.sha256) return undefined;
    return { url, bytes, sha256, etag: note.etag ?? '', lastModified: note.lastModified ?? '' };
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** Puts a complete, flushed file under its final name. */
export async function keepFile(path: string, from: string, note: FileNote): Promise<void> {
  // a crash between the two leaves a note that does not fit the file, and it is downloaded again
  await rename(from, path);
  await writeNote(notePath(path), note);
}

/** The next download fetches the file anew. The file itself stays. */
export async function forgetFile(path: string): Promise<void> {
  await rm(notePath(path), { force: true });
}

export async function hashFile(path: string): Promise<{ bytes: number; sha256: string }> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 18 }) as AsyncIterable<Buffer>) {
    hash.update(chunk);
    bytes += chunk.length;
  }
  return { bytes, sha256: hash.digest('hex') };
}

/** Undefined where there is none, or none that can be read. */
export async function readNote<Note extends object>(path: string): Promise<Partial<Note> | undefined> {
  try {
    const note: unknown = JSON.parse(await readFile(path, 'utf8'));
    return typeof note === 'object' && note !== null ? (note as Partial<Note>) : undefined;
  } catch (error) {
    if (isMissing(error) || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

export async function writeNote(path: string, note: object): Promise<void> {
  const temporary = `${path}.tmp`;
  const handle = await open(temporary, 'w', 0o600);
  try {
    await handle.writeFile(`${JSON.stringify(note)}\n`);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(temporary, path);
  await flushFolder(dirname(path));
}

export function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT';
}

function notePath(path: string): string {
  return `${path}.json`;
}

async function flushFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return; // folders cannot be opened there
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
