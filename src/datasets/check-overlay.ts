/** Checks an overlay without building an index of it. */
import { resolve } from 'node:path';
import { openIndex } from '../index-file/open-index.ts';
import { applyOverlay } from '../sources/overlay.ts';
import { readOverlay } from '../sources/read-overlay.ts';
import { indexGazetteer } from './index-gazetteer.ts';

/** Throws UsageError for an overlay that cannot be read, and SourceError for lines that cannot be applied. */
export function checkOverlay(base: ArrayBuffer | SharedArrayBuffer, overlayPath: string): void {
  const path = resolve(overlayPath);
  applyOverlay(indexGazetteer(openIndex(base)), readOverlay(path), path);
}
