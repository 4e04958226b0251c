/** Random integers below `limit`, the same on every run: a linear congruential generator of 48 bits. */
export function seededRandom(seed: number): (limit: number) => number {
  let state = BigInt(seed) ^ 0x5deece66dn;
  return (limit) => {
    state = (state * 0x5deece66dn + 0xbn) & 0xffff_ffff_ffffn;
    return Math.floor((Number(state >> 16n) / 0x1_0000_0000) * limit);
  };
}
