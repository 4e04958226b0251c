/** Loads the borders of the world into shared memory, and ends, which frees country-coder's data. */
import { loadBorderTables } from '../../place/load-world-borders.ts';
import type { BorderTables } from '../../place/world-borders.ts';
import { serveTasks } from '../../thread.ts';

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
