/** Repeatable random integers below `limit`, by a 48-bit linear congruential generator. */
export function seededRandom(seed: number): (limit: number) => number {
  let state = BigInt(seed) ^ 0x5deece66dn;
  return (limit) => {
    state = (state * 0x5deece66dn + 0xbn) & 0xffff_ffff_ffffn;
    return Math.floor((Number(state >> 16n) / 0x1_0000_0000) * limit);
  };
}
