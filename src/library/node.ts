/** The package's main export: the engine in this process, without a server. */
import { crc32 } from 'node:zlib';
import type { LoadOptions } from '../datasets/embedded-index.ts';
import { loadIndex } from '../datasets/load-index.ts';
import { overlaySource } from '../datasets/overlay-index.ts';
import { openEngine } from '../engine/open-engine.ts';
import { openIndex, verifyChecksums } from '../index-file/open-index.ts';
import { verifyStructure } from '../index-file/verify/verify-structure.ts';
import { loadWorldBorders } from '../place/load-world-borders.ts';
import { bufferOf, type IndexBytes } from './index-bytes.ts';
import { OpenToponym, type Toponym } from './toponym.ts';

export type * from '../engine/engine.ts';
export { IndexFormatError } from '../index-file/format-error.ts';
export type { ReverseOptions, SearchOptions } from './check-query.ts';
export type { PlainHit, Results } from './toponym.ts';
export type { IndexBytes, Toponym };

export interface OpenOptions {
  /**
   * Path of an index file, or its bytes. By default the embedded data, which the first call indexes
   * in the user's cache folder.
   */
  readonly index?: string | IndexBytes | undefined;
  /** Path of a file of corrections and additions: see docs/data.md. */
  readonly overlay?: string | undefined;
  /** Called while the embedded data are indexed. */
  readonly onProgress?: LoadOptions['onProgress'];
}

const OPTION_NAMES = ['index', 'overlay', 'onProgress'];
/** The library has no state folder to look for an index in. */
const NO_INDEX_FOLDER = undefined;

/** Throws if the index cannot be read; IndexFormatError if it is damaged. */
export async function openToponym(options: OpenOptions = {}): Promise<Toponym> {
  const unknown = Object.keys(options).find((name) => !OPTION_NAMES.includes(name));
  if (unknown !== undefined) {
    throw new TypeError(`openToponym: unknown option "${unknown}". Known options: ${OPTION_NAMES.join(', ')}`);
  }
  const { index: given, overlay: overlayPath, onProgress = () => {} } = options;
  const isPath = given === undefined || typeof given === 'string';
  const index = isPath ? await loadIndex(given, NO_INDEX_FOLDER, { onProgress }) : verifiedBuffer(given);
  const overlay = overlayPath === undefined ? undefined : await overlaySource(overlayPath).build(index);
  return new OpenToponym(openEngine(index, overlay, { loadBorders: loadWorldBorders }));
}

function verifiedBuffer(bytes: IndexBytes): ArrayBuffer | SharedArrayBuffer {
  const buffer = bufferOf(bytes);
  verifyChecksums(buffer, crc32);
  verifyStructure(openIndex(buffer));
  return buffer;
}
