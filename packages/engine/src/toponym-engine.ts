/** The published package `toponym-engine`. It runs wherever JavaScript does. */

import { IndexFormatError, verifyChecksums } from './index-file/open-index.ts';
import { CheckedEngine, type OpenEngine } from './library/checked-engine.ts';
import { bufferOf, type IndexBytes, isIndexBytes, preview } from './library/checks.ts';
import { openEngine as openIndexEngine } from './open-engine.ts';
import { type CountryCoder, createWorldBorders } from './place/world-borders.ts';

export type * from './engine.ts';
export type { PlainHit, Results } from './library/checked-engine.ts';
export type { ReverseOptions, SearchOptions } from './library/checks.ts';
export { type CountryCoder, type IndexBytes, IndexFormatError, type OpenEngine };

export interface OpenOptions {
  /** The package `@rapideditor/country-coder`: with it, mode `containing` respects borders. */
  readonly countryCoder?: CountryCoder | undefined;
}

/** Opens the bytes of an index file, as `toponym build` writes it. Throws IndexFormatError if they are damaged. */
export function openEngine(bytes: IndexBytes, { countryCoder }: OpenOptions = {}): OpenEngine {
  if (!isIndexBytes(bytes)) {
    throw new TypeError(`openEngine: needs the bytes of an index file, got ${preview(bytes)}`);
  }
  const buffer = bufferOf(bytes);
  verifyChecksums(buffer);
  const loadBorders = countryCoder && (() => createWorldBorders(countryCoder));
  return new CheckedEngine(openIndexEngine(buffer, { loadBorders }));
}
