/** Builds an index and prints the cost; a separate process, to measure its peak memory. */

import { writeIndexFile } from 'toponym-files/index-file';
import { buildIndex } from 'toponym-gazetteer/build/build-index';
import { openScaleGazetteer } from './gazetteer.ts';

export interface Built {
  readonly places: number;
  readonly names: number;
  readonly bytes: number;
  readonly readMs: number;
  readonly buildMs: number;
  readonly peakBytes: number;
}

const [folder = '', count = '0', indexFile = ''] = process.argv.slice(2);
const start = performance.now();
let readMs = 0;
const { chunks, report } = await buildIndex(openScaleGazetteer(folder, Number(count)), ({ stage }) => {
  if (stage === 'sorting') readMs = performance.now() - start;
});
writeIndexFile(indexFile, chunks);
const built: Built = {
  places: report.places,
  names: report.names,
  bytes: report.bytes,
  readMs,
  buildMs: performance.now() - start - readMs,
  peakBytes: process.resourceUsage().maxRSS * 1024,
};
console.log(JSON.stringify(built));
