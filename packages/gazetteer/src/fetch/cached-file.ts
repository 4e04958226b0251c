/**
 * A downloaded file and, beside it, a metadata file with its URL and SHA-256. A file that does not
 * match its metadata counts as missing.
 */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile, rename, rm } from 'node:fs/promises';
import { writePrivateFile } from 'toponym-files/replace-file';

export interface FileMetadata {
  /** Without user, password and query. */
  readonly url: string;
  readonly bytes: number;
  readonly sha256: string;
  /** Empty if the response had no ETag header. */
  readonly etag: string;
  /** Empty if the response had no Last-Modified header. */
  readonly lastModified: string;
}

/** Returns the file's metadata if the file matches it and came from this URL. */
export async function findCachedFile(path: string, url: string): Promise<FileMetadata | undefined> {
  const metadata = await readMetadata<FileMetadata>(metadataPath(path));
  if (metadata?.url !== url) return undefined;
  try {
    const { bytes, sha256 } = await hashFile(path);
    if (bytes !== metadata.bytes || sha256 !== metadata.sha256) return undefined;
    return { url, bytes, sha256, etag: metadata.etag ?? '', lastModified: metadata.lastModified ?? '' };
  } catch (error) {
    if (isFileMissing(error)) return undefined;
    throw error;
  }
}

/** Moves a complete, flushed file to its final name and writes its metadata. */
export async function storeFile(path: string, temporaryPath: string, metadata: FileMetadata): Promise<void> {
  // after a crash between the two steps, the file counts as missing
  await rename(temporaryPath, path);
  writeMetadata(metadataPath(path), metadata);
}

/** Makes the next download fetch the file again. The file itself stays. */
export async function forgetFile(path: string): Promise<void> {
  await rm(metadataPath(path), { force: true });
}

export async function hashFile(path: string): Promise<{ bytes: number; sha256: string }> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of createReadStream(path, { highWaterMark: 256 * 1024 }) as AsyncIterable<Buffer>) {
    hash.update(chunk);
    bytes += chunk.length;
  }
  return { bytes, sha256: hash.digest('hex') };
}

export function metadataPath(path: string): string {
  return `${path}.json`;
}

/** Returns undefined if the file is missing or malformed. */
export async function readMetadata<Metadata extends object>(path: string): Promise<Partial<Metadata> | undefined> {
  try {
    const metadata: unknown = JSON.parse(await readFile(path, 'utf8'));
    return typeof metadata === 'object' && metadata !== null ? (metadata as Partial<Metadata>) : undefined;
  } catch (error) {
    if (isFileMissing(error) || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

export function writeMetadata(path: string, metadata: object): void {
  writePrivateFile(path, `${JSON.stringify(metadata)}\n`);
}

export function isFileMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT';
}
