/** Letters in groups, roughly by script. A search for typos tries only the query's groups. */

/** First code unit of each group. A group ends where the next one starts. */
const GROUP_STARTS = [
  0x0000, 0x0030, 0x0061, 0x0370, 0x0400, 0x0530, 0x0590, 0x0600, 0x0900, 0x0980, 0x0a00, 0x0a80, 0x0b00, 0x0b80,
  0x0c00, 0x0c80, 0x0d00, 0x0d80, 0x0e00, 0x0e80, 0x0f00, 0x1000, 0x10a0, 0x1100, 0x1200, 0x1380, 0x1e00, 0x2000,
  0x3040, 0x3100, 0xac00,
];

/** Bit of the group of each code unit. Group 0 (space) occurs in all scripts, group 1 is digits. */
export const groupBits = new Uint32Array(0x1_0000);
GROUP_STARTS.forEach((start, group) => {
  groupBits.fill(1 << group, start, GROUP_STARTS[group + 1] ?? groupBits.length);
});

/** Bits of the groups of a text, always with group 0. */
export function scriptGroups(text: string): number {
  let groups = 1 << 0;
  for (let i = 0; i < text.length; i++) groups |= groupBits[text.charCodeAt(i)] as number;
  return groups;
}

/** Bits of groups of non-Latin letters: no Latin with marks (0x1e00), no punctuation (0x2000). */
const nonLatinBits = GROUP_STARTS.reduce(
  (bits, start, group) => (start < 0x0370 || start === 0x1e00 || start === 0x2000 ? bits : bits | (1 << group)),
  0,
);

/** Number of scripts among these groups. Latin always counts. */
export function countScripts(groups: number): number {
  let count = 1;
  for (let bits = groups & nonLatinBits; bits !== 0; bits &= bits - 1) count++;
  return count;
}

export function highestLetter(groups: number): number {
  let group = GROUP_STARTS.length - 1;
  while (group > 0 && (groups & (1 << group)) === 0) group--;
  return (GROUP_STARTS[group + 1] ?? groupBits.length) - 1;
}
