/** Loads the borders of the world into shared memory, and ends, which frees country-coder's data. */
import { parentPort } from 'node:worker_threads';
import { loadBorderTables } from '../../place/load-world-borders.ts';
import type { BorderTables } from '../../place/world-borders.ts';

const { codes, allCodes, cells, starts, ends, areas } = loadBorderTables();
const shared: BorderTables = {
  codes,
  allCodes,
  cells: new Uint16Array(share(cells)),
  starts: new Uint32Array(share(starts)),
  ends: new Float64Array(share(ends)),
  areas: new Uint16Array(share(areas)),
};
parentPort?.postMessage(shared);

function share({ buffer, byteOffset, byteLength }: ArrayBufferView): SharedArrayBuffer {
  const copy = new SharedArrayBuffer(byteLength);
  new Uint8Array(copy).set(new Uint8Array(buffer, byteOffset, byteLength));
  return copy;
}
