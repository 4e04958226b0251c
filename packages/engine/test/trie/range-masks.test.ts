import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seededRandom } from '../../../../test/support/seeded-random.ts';
import { MatchRanges, RangeMasks, TYPO_LEVELS } from '../../src/trie/match-ranges.ts';

test('on random ranges the masks equal a comparison with every range', () => {
  const random = seededRandom(11);
  for (let round = 0; round < 200; round++) {
    const words = Array.from({ length: 1 + random(12) }, () => {
      const ranges = new MatchRanges();
      for (let r = random(30); r > 0; r--) {
        const lo = random(300);
        ranges.add(lo, lo + random(40), 0, random(TYPO_LEVELS));
      }
      return ranges;
    });
    const masks = new RangeMasks(words.map((ranges, word) => ({ ranges, setNumberOf: () => word })));
    for (let i = 0; i < 50; i++) {
      const positions = Array.from({ length: 1 + random(3) }, () => random(350));
      masks.clear();
      for (const position of positions) masks.addSetsAt(position);
      assert.deepEqual([...masks.found], naiveMasks(words, positions));
    }
  }
});

function naiveMasks(words: readonly MatchRanges[], positions: readonly number[]): number[] {
  const found = [0, 0, 0];
  words.forEach(({ count, lo, hi, typos }, word) => {
    for (let r = 0; r < count; r++) {
      if (positions.some((position) => position >= lo[r]! && position < hi[r]!)) found[typos[r]!]! |= 1 << word;
    }
  });
  return found;
}
