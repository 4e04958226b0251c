/** Sorted keys to the filter of how they begin: see index-file/start-filter.ts. */
import { rolled, START_FILTER, startBit } from '../index-file/start-filter.ts';
import type { SortedKeys } from './key-table.ts';

const { least, step, most, bitsPerStart } = START_FILTER;

/** `common`: how many letters each key has in common with the one before it. */
export function buildStartFilter({ units, begin, end }: SortedKeys, common: Uint32Array): Uint32Array {
  const lengthOf = (key: number) => Math.min(most, end[key]! - begin[key]!);
  let starts = 1;
  for (let key = 0; key < begin.length; key++) {
    for (let depth = least; depth <= lengthOf(key); depth += step) if (depth > common[key]!) starts++;
  }
  const log2Bits = Math.max(5, Math.min(32, Math.ceil(Math.log2(starts * bitsPerStart))));
  const bits = new Uint32Array(2 ** (log2Bits - 5));
  for (let key = 0; key < begin.length; key++) {
    const length = lengthOf(key);
    let hash = 0;
    for (let depth = 1; depth <= length; depth++) {
      hash = rolled(hash, units[begin[key]! + depth - 1]!);
      if (depth < least || depth <= common[key]! || depth % step !== 0) continue;
      const bit = startBit(hash, log2Bits);
      bits[bit >>> 5]! |= 1 << (bit & 31);
    }
  }
  return bits;
}
