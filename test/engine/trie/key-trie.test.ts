import assert from 'node:assert/strict';
import { test } from 'node:test';
import { KeyTable } from '../../../src/build/names/key-table.ts';
import { buildTrie } from '../../../src/build/names/trie.ts';
import { KeyTrie } from '../../../src/engine/trie/key-trie.ts';
import { MATCH, MatchRanges } from '../../../src/engine/trie/match-ranges.ts';
import { TypoWalk } from '../../../src/engine/trie/typo-walk.ts';
import { WorkBudget } from '../../../src/engine/work-budget.ts';
import { editDistance } from '../../support/edit-distance.ts';
import { seededRandom } from '../../support/seeded-random.ts';

/** A trie of the keys with one posting each, so that posting i is key i. */
function aTrie(keys: readonly string[], isMain = (_key: string) => true, bestOf = (_key: string) => 255): KeyTrie {
  const starts = Uint32Array.from({ length: keys.length + 1 }, (_, i) => i);
  const table = new KeyTable();
  for (const key of keys) table.add(key);
  const best = Uint8Array.from(keys, bestOf);
  const main = Uint8Array.from(keys, (key) => Number(isMain(key)));
  return new KeyTrie(buildTrie({ keys: table.sort(), starts, best, main }), keys.length);
}

function someKeys(seed: number, count: number, longest = 8): string[] {
  const random = seededRandom(seed);
  const keys = new Set<string>();
  while (keys.size < count) {
    keys.add(
      Array.from({ length: 1 + random(longest) }, () => 'ab c'[random(4)])
        .join('')
        .trim() || 'a',
    );
  }
  return [...keys].sort();
}

test('the runs below a text are the key, the keys with further words, the keys whose last word goes on', () => {
  const keys = ['york', 'york city', 'york haven', 'yorker', 'yorktown'];
  const trie = aTrie(keys);
  assert.equal(trie.find('york'), true);
  assert.deepEqual([trie.lo, trie.exactEnd, trie.wordsEnd, trie.hi], [0, 1, 3, 5]);
});

test('every text finds just the keys that begin with it, as filtering all keys does', () => {
  const keys = someKeys(1, 500);
  const trie = aTrie(keys);
  for (const text of someKeys(2, 500)) {
    const expected = keys.filter((key) => key.startsWith(text));
    const found = trie.find(text) ? keys.slice(trie.lo, trie.hi) : [];
    assert.deepEqual(found, expected, text);
    if (expected.length === 0) continue;
    assert.deepEqual(
      keys.slice(trie.lo, trie.exactEnd),
      expected.filter((key) => key === text),
    );
    assert.deepEqual(
      keys.slice(trie.exactEnd, trie.wordsEnd),
      expected.filter((key) => key.startsWith(`${text} `)),
    );
  }
});

test('a walk for main names finds all of them that a walk for all names does, and no branch without any', () => {
  const keys = someKeys(7, 400, 12);
  const isMain = (key: string) => sumOf(key) % 3 === 0;
  const walk = new TypoWalk(aTrie(keys, isMain), new WorkBudget());
  const all = new MatchRanges();
  const main = new MatchRanges();
  const wholeKeys = (ranges: MatchRanges) =>
    Array.from({ length: ranges.count }, (_, i) => i)
      .filter((i) => ranges.match[i] === MATCH.exact)
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
  for (const text of someKeys(8, 200, 12)) {
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
  assert.ok(skipped > 100);
});

for (const maxTypos of [1, 2] as const) {
  test(`with up to ${maxTypos} errors, whole keys found and their errors are those of comparing with every key`, () => {
    const keys = someKeys(3, 400);
    const trie = aTrie(keys);
    const walk = new TypoWalk(trie, new WorkBudget());
    const ranges = new MatchRanges();
    for (const text of someKeys(4, 200)) {
      ranges.clear();
      walk.collectInto(ranges, { text, maxTypos, isPrefix: false, minImportance: [0, 0, 0] });
      const found = typosByKey(keys, ranges, MATCH.exact);
      const expected = keys
        .map((key) => [key, editDistance(text, key)] as const)
        .filter(([, typos]) => typos <= maxTypos);
      assert.deepEqual([...found].sort(), expected.sort(), text);
    }
  });

  test(`with up to ${maxTypos} errors, keys found by their beginning are those that some beginning of fits`, () => {
    const keys = someKeys(5, 400);
    const trie = aTrie(keys);
    const walk = new TypoWalk(trie, new WorkBudget());
    const ranges = new MatchRanges();
    for (const text of someKeys(6, 200)) {
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

for (const first of ['right', 'wrong'] as const) {
  test(`with the first letter ${first}, keys found are those of comparing with every key`, () => {
    const keys = someKeys(9, 400, 10);
    const walk = new TypoWalk(aTrie(keys), new WorkBudget());
    for (const text of someKeys(10, 200, 10)) {
      const ranges = new MatchRanges();
      walk.collectInto(ranges, { text, maxTypos: 2, isPrefix: false, minImportance: [0, 0, 0], first });
      const expected = keys.filter(
        (key) => (key[0] === text[0]) === (first === 'right') && editDistance(text, key) <= 2,
      );
      assert.deepEqual([...typosByKey(keys, ranges, MATCH.exact).keys()].sort(), expected, text);
    }
  });
}

test('what is important enough for its errors is found, and branches that are not are left', () => {
  const keys = someKeys(11, 400);
  const bestOf = (key: string) => (sumOf(key) * 37) % 256;
  const walk = new TypoWalk(aTrie(keys, undefined, bestOf), new WorkBudget());
  const minImportance = [50, 100, 200];
  let left = 0;
  for (const text of someKeys(12, 200)) {
    const ranges = new MatchRanges();
    walk.collectInto(ranges, { text, maxTypos: 2, isPrefix: false, minImportance });
    const found = typosByKey(keys, ranges, MATCH.exact);
    for (const key of keys) {
      const typos = editDistance(text, key);
      if (typos > 2) continue;
      if (bestOf(key) >= minImportance[typos]!) assert.equal(found.get(key), typos, `${text} ${key}`);
      else if (!found.has(key)) left++;
    }
  }
  assert.ok(left > 100);
});

test('of an unfinished text, whole keys and keys with further words are found as such, with the errors they have', () => {
  const keys = someKeys(13, 400, 10);
  const walk = new TypoWalk(aTrie(keys), new WorkBudget());
  for (const text of someKeys(14, 200).filter(({ length }) => length > 2)) {
    const ranges = new MatchRanges();
    walk.collectInto(ranges, { text, maxTypos: 2, isPrefix: true, minImportance: [0, 0, 0] });
    const least = (ends: (key: string) => number[]) =>
      keys
        .map((key) => [key, Math.min(...ends(key).map((end) => editDistance(text, key.slice(0, end))))] as const)
        .filter(([, typos]) => typos <= 2);
    const whole = least((key) => [key.length]);
    const withWords = least((key) => [...key.matchAll(/ /g)].map(({ index }) => index));
    assert.deepEqual([...typosByKey(keys, ranges, MATCH.exact)].sort(), whole.sort(), text);
    assert.deepEqual([...typosByKey(keys, ranges, MATCH.words)].sort(), withWords.sort(), text);
  }
});

/** With how few errors each key was found so. */
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

/** The least distance to the key or to any beginning of it that is not longer than it. */
function prefixDistance(text: string, key: string): number {
  let least = editDistance(text, key);
  for (let end = 1; end < key.length; end++) least = Math.min(least, editDistance(text, key.slice(0, end)));
  return least;
}
