/** Loads the borders of the world into shared memory, and ends, which frees country-coder's data. */

import type { BorderTables } from 'toponym-engine/place/world-borders';
import { loadBorderTables } from 'toponym-files/load-world-borders';
import { serveTasks } from 'toponym-files/thread';

serveTasks(shareBorderTables);

export function shareBorderTables(): BorderTables {
  const { codes, allCodes, cells, starts, ends, areas } = loadBorderTables();
  return {
    codes,
    allCodes,
    cells: new Uint16Array(share(cells)),
    starts: new Uint32Array(share(starts)),
    ends: new Float64Array(share(ends)),
    areas: new Uint16Array(share(areas)),
  };
}

function share({ buffer, byteOffset, byteLength }: ArrayBufferView): SharedArrayBuffer {
  const copy = new SharedArrayBuffer(byteLength);
  new Uint8Array(copy).set(new Uint8Array(buffer, byteOffset, byteLength));
  return copy;
}
