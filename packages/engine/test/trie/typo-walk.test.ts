import assert from 'node:assert/strict';
import { test } from 'node:test';
import { editDistance } from '../../../../test/support/edit-distance.ts';
import { MATCH, MatchRanges } from '../../src/trie/match-ranges.ts';
import { TypoWalk } from '../../src/trie/typo-walk.ts';
import { WorkBudget } from '../../src/work-budget.ts';
import { aTrie, someKeys } from './a-trie.ts';

test('a walk restricted to main names finds every main name and skips branches without one', () => {
  const keys = someKeys(7, 400, 12);
  const isMain = (key: string) => sumOf(key) % 3 === 0;
  const walk = new TypoWalk(aTrie(keys, isMain), new WorkBudget());
  const all = new MatchRanges();
  const main = new MatchRanges();
  const wholeKeys = (ranges: MatchRanges) =>
    Array.from({ length: ranges.count }, (_, i) => i)
      .filter((i) => ranges.match[i] === MATCH.whole)
      .flatMap((i) => keys.slice(ranges.lo[i], ranges.hi[i]))
      .filter((key, i, all) => all.indexOf(key) === i)
      .sort();
  const mainKeys = (ranges: MatchRanges) =>
    new Set(
      Array.from({ length: ranges.count }, (_, i) => i)
        .flatMap((i) => keys.slice(ranges.lo[i], ranges.hi[i]))
        .filter(isMain),
    );
  let skipped = 0;
  for (const text of someKeys(8, 80, 12)) {
    all.clear();
    main.clear();
    walk.collectInto(all, { text, maxTypos: 1, isPrefix: true, minImportance: [0, 0] });
    walk.collectInto(main, { text, maxTypos: 1, isPrefix: true, minImportance: [0, 0], isMainOnly: true });
    assert.deepEqual(mainKeys(main), mainKeys(all), text);
    all.clear();
    main.clear();
    walk.collectInto(all, { text, maxTypos: 2, isPrefix: false, minImportance: [0, 0, 0] });
    walk.collectInto(main, { text, maxTypos: 2, isPrefix: false, minImportance: [0, 0, 0], isMainOnly: true });
    const expected = wholeKeys(all).filter((key) => keys.some((other) => other.startsWith(key) && isMain(other)));
    assert.deepEqual(wholeKeys(main), expected, text);
    skipped += wholeKeys(all).length - expected.length;
  }
  assert.ok(skipped > 40);
});

for (const maxTypos of [1, 2] as const) {
  test(`with up to ${maxTypos} typos, the whole keys found and their typos are those of brute force`, () => {
    const keys = someKeys(3, 400);
    const trie = aTrie(keys);
    const walk = new TypoWalk(trie, new WorkBudget());
    const ranges = new MatchRanges();
    for (const text of someKeys(4, 80)) {
      ranges.clear();
      walk.collectInto(ranges, { text, maxTypos, isPrefix: false, minImportance: [0, 0, 0] });
      const found = typosByKey(keys, ranges, MATCH.whole);
      const expected = keys
        .map((key) => [key, editDistance(text, key)] as const)
        .filter(([, typos]) => typos <= maxTypos);
      assert.deepEqual([...found].sort(), expected.sort(), text);
    }
  });

  test(`with up to ${maxTypos} typos, the keys found for a prefix are those of brute force`, () => {
    const keys = someKeys(5, 400);
    const trie = aTrie(keys);
    const walk = new TypoWalk(trie, new WorkBudget());
    const ranges = new MatchRanges();
    for (const text of someKeys(6, 40)) {
      ranges.clear();
      walk.collectInto(ranges, { text, maxTypos, isPrefix: true, minImportance: [0, 0, 0] });
      const found = new Map<string, number>();
      for (let i = 0; i < ranges.count; i++) {
        for (const key of keys.slice(ranges.lo[i], ranges.hi[i])) {
          found.set(key, Math.min(found.get(key) ?? 9, ranges.typos[i] ?? 9));
        }
      }
      const expected = keys
        .map((key) => [key, prefixDistance(text, key)] as const)
        .filter(([, typos]) => typos <= maxTypos);
      assert.deepEqual([...found].sort(), expected.sort(), text);
    }
  });
}

for (const firstLetter of ['right', 'wrong'] as const) {
  test(`with the first letter ${firstLetter}, the keys found are those of brute force`, () => {
    const keys = someKeys(9, 400, 10);
    const walk = new TypoWalk(aTrie(keys), new WorkBudget());
    for (const text of someKeys(10, 80, 10)) {
      const ranges = new MatchRanges();
      walk.collectInto(ranges, { text, maxTypos: 2, isPrefix: false, minImportance: [0, 0, 0], firstLetter });
      const expected = keys.filter(
        (key) => (key[0] === text[0]) === (firstLetter === 'right') && editDistance(text, key) <= 2,
      );
      assert.deepEqual([...typosByKey(keys, ranges, MATCH.whole).keys()].sort(), expected, text);
    }
  });
}

test('keys important enough for their typos are found, and unimportant branches are skipped', () => {
  const keys = someKeys(11, 400);
  const bestOf = (key: string) => (sumOf(key) * 37) % 256;
  const walk = new TypoWalk(aTrie(keys, undefined, bestOf), new WorkBudget());
  const minImportance = [50, 100, 200];
  let skipped = 0;
  for (const text of someKeys(12, 80)) {
    const ranges = new MatchRanges();
    walk.collectInto(ranges, { text, maxTypos: 2, isPrefix: false, minImportance });
    const found = typosByKey(keys, ranges, MATCH.whole);
    for (const key of keys) {
      const typos = editDistance(text, key);
      if (typos > 2) continue;
      if (bestOf(key) >= minImportance[typos]!) assert.equal(found.get(key), typos, `${text} ${key}`);
      else if (!found.has(key)) skipped++;
    }
  }
  assert.ok(skipped > 40);
});

test('for an unfinished text, whole keys and keys with more words are found with their own number of typos', () => {
  const keys = someKeys(13, 400, 10);
  const walk = new TypoWalk(aTrie(keys), new WorkBudget());
  for (const text of someKeys(14, 40).filter(({ length }) => length > 2)) {
    const ranges = new MatchRanges();
    walk.collectInto(ranges, { text, maxTypos: 2, isPrefix: true, minImportance: [0, 0, 0] });
    const closest = (ends: (key: string) => number[]) =>
      keys
        .map((key) => [key, Math.min(...ends(key).map((end) => editDistance(text, key.slice(0, end))))] as const)
        .filter(([, typos]) => typos <= 2);
    const whole = closest((key) => [key.length]);
    const withWords = closest((key) => [...key.matchAll(/ /g)].map(({ index }) => index));
    assert.deepEqual([...typosByKey(keys, ranges, MATCH.whole)].sort(), whole.sort(), text);
    assert.deepEqual([...typosByKey(keys, ranges, MATCH.moreWords)].sort(), withWords.sort(), text);
  }
});

/** The minimum number of typos with which each key was found by a kind of match. */
function typosByKey(keys: readonly string[], ranges: MatchRanges, match: number): Map<string, number> {
  const found = new Map<string, number>();
  for (let i = 0; i < ranges.count; i++) {
    if (ranges.match[i] !== match) continue;
    for (const key of keys.slice(ranges.lo[i], ranges.hi[i])) {
      found.set(key, Math.min(found.get(key) ?? 9, ranges.typos[i]!));
    }
  }
  return found;
}

function sumOf(key: string): number {
  return [...key].reduce((sum, letter) => 3 * sum + letter.charCodeAt(0), 0);
}

/** The minimum edit distance to the key or to any of its prefixes. */
function prefixDistance(text: string, key: string): number {
  let distance = editDistance(text, key);
  for (let end = 1; end < key.length; end++) distance = Math.min(distance, editDistance(text, key.slice(0, end)));
  return distance;
}
