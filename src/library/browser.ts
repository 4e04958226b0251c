/** The export `toponym/browser`: without Node.js modules, for browsers and edge runtimes. */
import { openEngine } from '../engine/open-engine.ts';
import { verifyChecksums } from '../index-file/open-index.ts';
import { type CountryCoder, createWorldBorders } from '../place/world-borders.ts';
import { bufferOf, type IndexBytes, isIndexBytes, preview } from './checks.ts';
import { OpenToponym, type Toponym } from './toponym.ts';

export type * from '../engine/engine.ts';
export { IndexFormatError } from '../index-file/open-index.ts';
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
