/** Reads the copy of an index at a URL. Downloads the index only if there is no usable copy. */
import { setTimeout as setTimeoutAsync } from 'node:timers/promises';
import { readIndexFile } from '../../index-file/file.ts';
import { IndexFormatError } from '../../index-file/format-error.ts';
import { checkPlaceCount } from '../reload/shrunken-data.ts';
import type { FetchOptions, IndexDownload, NewIndex } from './index-download.ts';

interface LoadRemoteOptions extends FetchOptions {
  readonly allowShrunkenData: boolean;
  /** Called right before each read of the copy. */
  readonly beforeRead: () => void;
  /** Called once if this process waits for another one to download the index. */
  readonly onWait: () => void;
}

const BUSY_POLL_MS = 250;

/** Throws DownloadError or IndexFormatError. */
export async function loadRemoteIndex(
  remote: IndexDownload,
  { allowShrunkenData, beforeRead, onWait, ...fetchOptions }: LoadRemoteOptions,
): Promise<SharedArrayBuffer> {
  const read = (path: string) => {
    beforeRead();
    const index = readIndexFile(path);
    checkPlaceCount(index, { indexPath: remote.name, allowShrunkenData, served: undefined });
    return index;
  };
  for (let waits = 0; ; waits++) {
    const copy = await readCopy(remote, read);
    if (copy !== undefined) return copy;
    const result = await remote.fetch(fetchOptions);
    if (typeof result === 'object') {
      const index = await readNew(result, read);
      beforeRead(); // else the new copy would count as a change
      return index;
    }
    if (result !== 'busy') continue; // another process has just stored a copy
    if (waits === 0) onWait();
    const { signal } = fetchOptions;
    await setTimeoutAsync(BUSY_POLL_MS, undefined, signal && { signal });
  }
}

/** Returns undefined if there is no usable copy. */
async function readCopy(remote: IndexDownload, read: (path: string) => SharedArrayBuffer) {
  try {
    return read(remote.path);
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    if (!isMissing && !(error instanceof IndexFormatError)) throw error;
    await remote.forgetCopy();
    return undefined;
  }
}

async function readNew(downloaded: NewIndex, read: (path: string) => SharedArrayBuffer) {
  let index: SharedArrayBuffer;
  try {
    index = read(downloaded.path);
  } catch (error) {
    await downloaded.refuse();
    throw error;
  }
  await downloaded.accept();
  return index;
}
