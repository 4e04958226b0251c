/**
 * A naive builder of the search sections, with strings, maps and lists. The real builder must
 * produce the same bytes; this one is too slow for millions of places.
 */
import { createKeys } from '../../src/build/names/name-keys.ts';
import {
  BITS_PER_ENTRY,
  BLOCK_WORDS,
  firstWord,
  GAP,
  GAP_LENGTHS,
  rolled,
  secondWord,
} from '../../src/index-file/gap-filter.ts';
import { POSTING } from '../../src/index-file/posting.ts';
import type { Trie } from '../../src/index-file/trie.ts';
import type { PlaceName } from '../../src/place/place.ts';

export interface PlainNameIndex {
  readonly trie: Trie;
  readonly postings: Uint32Array;
  readonly placePostings: Uint32Array;
  readonly postingOf: Uint32Array;
  readonly postingName: Uint8Array;
}

interface Posting {
  readonly place: number;
  readonly flags: number;
  /** Position among all postings in the order of the places. */
  readonly slot: number;
}

/** `places` are in the order of dense ids. */
export function plainNameIndex(
  places: readonly { readonly names: readonly PlaceName[]; readonly importance: number }[],
): PlainNameIndex {
  const postingsByKey = new Map<string, Posting[]>();
  const ordinals: number[] = [];
  const placePostings = [0];
  places.forEach(({ names }, place) => {
    for (const [key, { flags, ordinal }] of createKeys(names)) {
      const list = postingsByKey.get(key) ?? [];
      postingsByKey.set(key, list);
      list.push({ place, flags, slot: ordinals.push(ordinal) - 1 });
    }
    placePostings.push(ordinals.length);
  });
  const keys = [...postingsByKey.keys()].sort();
  const inKeyOrder = keys.flatMap((key) => postingsByKey.get(key) as Posting[]);
  const postingOf = new Uint32Array(inKeyOrder.length);
  inKeyOrder.forEach(({ slot }, position) => {
    postingOf[slot] = position;
  });
  return {
    trie: plainTrie(keys, (key) => {
      const list = postingsByKey.get(key) as Posting[];
      const best = Math.max(...list.map(({ place }) => places[place]?.importance ?? 0));
      const isMain = list.some(({ flags }) => (flags & (POSTING.qualityMask | POSTING.isLaterWord)) === 0);
      return { count: list.length, best: Math.min(255, Math.ceil(best / 257)), isMain };
    }),
    postings: Uint32Array.from(inKeyOrder, ({ place, flags }) => place | (flags << POSTING.flagShift)),
    placePostings: Uint32Array.from(placePostings),
    postingOf,
    postingName: Uint8Array.from(ordinals),
  };
}

interface Node {
  readonly edge: string;
  /** Common prefix of all keys below this node. */
  readonly prefix: string;
  readonly keys: readonly string[];
}

/** Builds the trie of sorted keys, breadth first. */
function plainTrie(
  keys: readonly string[],
  postingsOf: (key: string) => { count: number; best: number; isMain: boolean },
): Trie {
  const startOf = new Map<string, number>();
  let postings = 0;
  for (const key of keys) {
    startOf.set(key, postings);
    postings += postingsOf(key).count;
  }
  const nodes: Node[] = [{ edge: '', prefix: '', keys }];
  const child: number[] = [];
  for (const node of nodes) {
    child.push(nodes.length);
    nodes.push(...childrenOf(node));
  }
  child.push(nodes.length);
  const tails = nodes.map(({ edge }) => edge.slice(1));
  const tail = [0];
  for (const text of tails) tail.push((tail.at(-1) as number) + text.length);
  return {
    char: Uint16Array.from(nodes, ({ edge }) => (edge === '' ? 0 : edge.charCodeAt(0))),
    child: Uint32Array.from(child),
    tail: Uint32Array.from(tail),
    value: Uint32Array.from(nodes, (node) => startOf.get(node.keys[0] ?? '') ?? 0),
    best: Uint8Array.from(nodes, (node) => node.keys.reduce((max, key) => Math.max(max, postingsOf(key).best), 0)),
    main: Uint8Array.from(nodes, (node) => Number(node.keys.some((key) => postingsOf(key).isMain))),
    gaps: plainGaps(keys, GAP_LENGTHS.all),
    mainGaps: plainGaps(
      keys.filter((key) => postingsOf(key).isMain),
      GAP_LENGTHS.main,
    ),
    tails: Uint16Array.from(tails.join('').split(''), (unit) => unit.charCodeAt(0)),
  };
}

function plainGaps(keys: readonly string[], lengths: readonly number[]): Int32Array {
  const starts = new Set(
    lengths.flatMap((length) => keys.filter((key) => key.length >= length).map((key) => key.slice(0, length))),
  );
  const entries = [...starts].reduce((sum, start) => sum + start.length, 0);
  const log2Words = Math.ceil(Math.log2(Math.max(BLOCK_WORDS, (entries * BITS_PER_ENTRY) / 32)));
  const words = new Int32Array(2 ** log2Words);
  for (const start of starts) {
    for (let gap = 0; gap < start.length; gap++) {
      const around = start.split('').map((letter, i) => (i === gap ? GAP : letter.charCodeAt(0)));
      const hash = around.reduce(rolled, 0);
      const first = firstWord(hash, log2Words);
      for (const word of [first, secondWord(hash, first)]) words[word]! |= 1 << (start.charCodeAt(gap) % 32);
    }
  }
  return words;
}

function childrenOf({ prefix, keys }: Node): Node[] {
  const groups = new Map<string, string[]>();
  for (const key of keys) {
    if (key === prefix) continue;
    const letter = key.charAt(prefix.length);
    const group = groups.get(letter) ?? [];
    groups.set(letter, group);
    group.push(key);
  }
  return [...groups.values()].map((group) => {
    const [first = ''] = group;
    const last = group.at(-1) ?? '';
    let end = prefix.length + 1;
    while (end < first.length && first[end] === last[end]) end++;
    return { edge: first.slice(prefix.length, end), prefix: first.slice(0, end), keys: group };
  });
}
