/**
 * A naive builder of the search sections, with strings, maps and lists. The real builder must
 * produce the same bytes; this one is too slow for millions of places.
 */

import { POSTING } from 'toponym-engine/index-file/posting';
import {
  appendLetter,
  BITS_PER_ENTRY,
  BLOCK_CELLS,
  firstCell,
  GAP,
  GAP_LENGTHS,
  secondCell,
  type Trie,
} from 'toponym-engine/index-file/trie';
import type { PlaceName } from 'toponym-engine/place/place';
import { createKeys } from 'toponym-gazetteer/build/names/name-keys';

export interface PlainNameIndex {
  readonly trie: Trie;
  readonly postings: Uint32Array;
  readonly placeSlots: Uint32Array;
  readonly slotPosting: Uint32Array;
  readonly slotName: Uint8Array;
}

interface Posting {
  readonly place: number;
  readonly flags: number;
  /** Position among all postings in the order of the places. */
  readonly slot: number;
}

/** `places` are in the order of dense ids. */
export function plainNameIndex(
  places: readonly { readonly names: readonly PlaceName[]; readonly country: string; readonly importance: number }[],
): PlainNameIndex {
  const postingsByKey = new Map<string, Posting[]>();
  const ordinals: number[] = [];
  const placeSlots = [0];
  places.forEach(({ names, country }, place) => {
    for (const [key, { flags, ordinal }] of createKeys(names, country)) {
      const list = postingsByKey.get(key) ?? [];
      postingsByKey.set(key, list);
      list.push({ place, flags, slot: ordinals.push(ordinal) - 1 });
    }
    placeSlots.push(ordinals.length);
  });
  const keys = [...postingsByKey.keys()].sort();
  const inKeyOrder = keys.flatMap((key) => postingsByKey.get(key) as Posting[]);
  const slotPosting = new Uint32Array(inKeyOrder.length);
  inKeyOrder.forEach(({ slot }, position) => {
    slotPosting[slot] = position;
  });
  return {
    trie: plainTrie(keys, (key) => {
      const list = postingsByKey.get(key) as Posting[];
      const best = Math.max(...list.map(({ place }) => places[place]?.importance ?? 0));
      const isMain = list.some(({ flags }) => (flags & (POSTING.qualityMask | POSTING.isLaterWord)) === 0);
      return { count: list.length, best: Math.min(255, Math.ceil(best / 257)), isMain };
    }),
    postings: Uint32Array.from(inKeyOrder, ({ place, flags }) => place | (flags << POSTING.flagShift)),
    placeSlots: Uint32Array.from(placeSlots),
    slotPosting,
    slotName: Uint8Array.from(ordinals),
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
  const childStart: number[] = [];
  for (const node of nodes) {
    childStart.push(nodes.length);
    nodes.push(...childrenOf(node));
  }
  childStart.push(nodes.length);
  const tails = nodes.map(({ edge }) => edge.slice(1));
  const tailStart = [0];
  for (const text of tails) tailStart.push((tailStart.at(-1) as number) + text.length);
  return {
    edgeLetter: Uint16Array.from(nodes, ({ edge }) => (edge === '' ? 0 : edge.charCodeAt(0))),
    childStart: Uint32Array.from(childStart),
    tailStart: Uint32Array.from(tailStart),
    postingStart: Uint32Array.from(nodes, (node) => startOf.get(node.keys[0] ?? '') ?? 0),
    maxImportance: Uint8Array.from(nodes, (node) =>
      node.keys.reduce((max, key) => Math.max(max, postingsOf(key).best), 0),
    ),
    hasMainName: Uint8Array.from(nodes, (node) => Number(node.keys.some((key) => postingsOf(key).isMain))),
    gaps: plainGaps(keys, GAP_LENGTHS.all),
    mainGaps: plainGaps(
      keys.filter((key) => postingsOf(key).isMain),
      GAP_LENGTHS.main,
    ),
    tailLetters: Uint16Array.from(tails.join('').split(''), (unit) => unit.charCodeAt(0)),
  };
}

function plainGaps(keys: readonly string[], lengths: readonly number[]): Int32Array {
  const starts = new Set(
    lengths.flatMap((length) => keys.filter((key) => key.length >= length).map((key) => key.slice(0, length))),
  );
  const entries = [...starts].reduce((sum, start) => sum + start.length, 0);
  const log2Cells = Math.ceil(Math.log2(Math.max(BLOCK_CELLS, (entries * BITS_PER_ENTRY) / 32)));
  const cells = new Int32Array(2 ** log2Cells);
  for (const start of starts) {
    for (let gap = 0; gap < start.length; gap++) {
      const around = start.split('').map((letter, i) => (i === gap ? GAP : letter.charCodeAt(0)));
      const hash = around.reduce(appendLetter, 0);
      const first = firstCell(hash, log2Cells);
      for (const cell of [first, secondCell(hash, first)]) cells[cell]! |= 1 << (start.charCodeAt(gap) % 32);
    }
  }
  return cells;
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
