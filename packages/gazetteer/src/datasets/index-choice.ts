/**
 * Which index commands use: the file or URL that `--index` names, or else the index that `toponym
 * update` has built in the state folder, or else the embedded data.
 */

import { statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { errorReason, UsageError } from 'toponym-files/errors/errors';
import { commandName } from 'toponym-files/program';
import { publicUrl } from '../fetch/urls.ts';

/** The value of `--index` that names the embedded data. A file of this name is `./embedded`. */
export const EMBEDDED = 'embedded';

/** What to do if the updated index cannot be used. */
export function updatedIndexRemedy(): string {
  return `Run "${commandName()} update" to build it again, or use the embedded data: --index ${EMBEDDED}`;
}

export type IndexChoice =
  | { readonly kind: 'embedded' }
  | { readonly kind: 'updated' | 'file'; readonly path: string }
  | { readonly kind: 'url'; readonly url: URL };

/** `given` is the value of `--index`. Throws UsageError if the updated index cannot be examined. */
export function chooseIndex(given: string | undefined, indexFolder: string): IndexChoice {
  if (given === EMBEDDED) return { kind: 'embedded' };
  if (given === undefined) {
    const path = updatedIndexPath(indexFolder);
    return isPresent(path) ? { kind: 'updated', path } : { kind: 'embedded' };
  }
  return isIndexUrl(given) ? { kind: 'url', url: new URL(given) } : { kind: 'file', path: resolve(given) };
}

/** The index that `toponym update` builds. The name is the same for all sets of places. */
export function updatedIndexPath(indexFolder: string): string {
  return join(indexFolder, 'updated.toponym');
}

function isPresent(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    // the state folder is a file: the commands that need the folder say so
    if ((error as NodeJS.ErrnoException).code === 'ENOTDIR') return false;
    throw new UsageError(
      `The index ${path} cannot be read: ${errorReason(error)}. To use the embedded data: --index ${EMBEDDED}.`,
      { cause: error },
    );
  }
}

/** Whether the text begins like a URL. The URL may still be invalid. */
export function isIndexUrl(text: string): boolean {
  return /^[a-z][a-z\d+.-]*:\/\//i.test(text);
}

/** Throws UsageError if an index is named by a URL, which only `toponym serve` takes. */
export function refuseIndexUrl(text: string): void {
  if (!isIndexUrl(text)) return;
  const url = URL.parse(text);
  const got = url === null ? 'a URL' : publicUrl(url);
  throw new UsageError(
    `The index must be a file, got ${got}: only "toponym serve" takes a URL. Download the file first.`,
  );
}
