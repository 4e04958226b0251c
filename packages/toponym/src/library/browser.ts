/** The export `toponym/browser`: without Node.js modules, for browsers and edge runtimes. */

import { verifyChecksums } from 'toponym-engine/index-file/open-index';
import { openEngine } from 'toponym-engine/open-engine';
import { type CountryCoder, createWorldBorders } from 'toponym-engine/place/world-borders';
import { bufferOf, type IndexBytes, isIndexBytes, preview } from './checks.ts';
import { OpenToponym, type Toponym } from './toponym.ts';

export type * from 'toponym-engine/engine';
export { IndexFormatError } from 'toponym-engine/index-file/open-index';
export type { ReverseOptions, SearchOptions } from './checks.ts';
export type { PlainHit, Results } from './toponym.ts';
export type { IndexBytes, Toponym };

export interface OpenOptions {
  /** The bytes of an index file, as `toponym build` writes it. */
  readonly index: IndexBytes;
  /** The package `@rapideditor/country-coder`: with it, mode `containing` respects borders. */
  readonly countryCoder?: CountryCoder | undefined;
}

/** Throws IndexFormatError if the index is damaged. */
export async function openToponym({ index, countryCoder }: OpenOptions): Promise<Toponym> {
  if (!isIndexBytes(index))
    throw new TypeError(`openToponym: index must be the bytes of an index file, got ${preview(index)}`);
  const buffer = bufferOf(index);
  verifyChecksums(buffer);
  const loadBorders = countryCoder && (() => createWorldBorders(countryCoder));
  return new OpenToponym(openEngine(buffer, { loadBorders }));
}
