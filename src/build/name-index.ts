/** Names to the search sections: trie, postings in key order, and the same turned round by place. */
import type { Sections } from '../index-file/layout.ts';
import { POSTING } from '../index-file/posting.ts';
import type { Place } from '../place/place.ts';
import { GrowingUint32 } from './growing-list.ts';
import { keysOf } from './name-keys.ts';
import { buildRunTops } from './run-tops.ts';
import { buildTrie } from './trie.ts';

export type NameSections = Pick<
  Sections,
  | 'nameTrieChar'
  | 'nameTrieChild'
  | 'nameTrieTail'
  | 'nameTrieValue'
  | 'nameTrieBest'
  | 'nameTrieTails'
  | 'postings'
  | 'postingBlocks'
  | 'runLo'
  | 'runHi'
  | 'runStart'
  | 'runTops'
  | 'placePostings'
  | 'postingOf'
  | 'postingName'
>;

/** `places` in dense-id order, `importance` likewise. */
export function buildNameIndex(places: readonly Place[], importance: Uint16Array): NameSections {
  const { keyIds, keyOf, flagsOf, nameOf, placePostings } = collectKeys(places);
  const keys = [...keyIds.keys()].sort(byCodeUnits);
  const rank = new Uint32Array(keys.length);
  keys.forEach((key, i) => {
    rank[keyIds.get(key)!] = i;
  });
  const starts = countStarts(keyOf, rank, keys.length);
  const cursor = starts.slice();
  const postings = new Uint32Array(keyOf.length);
  const postingOf = new Uint32Array(keyOf.length);
  const best = new Uint8Array(keys.length);
  for (let place = 0; place < places.length; place++) {
    const bound = boundOf(importance[place]!);
    for (let slot = placePostings[place]!; slot < placePostings[place + 1]!; slot++) {
      const key = rank[keyOf.at(slot)]!;
      const position = cursor[key]!++;
      postings[position] = place | (flagsOf.at(slot) << POSTING.flagShift);
      postingOf[slot] = position;
      if (bound > best[key]!) best[key] = bound;
    }
  }
  const trie = buildTrie({ keys, starts, best });
  const { runLo, runHi, runStart, tops } = buildRunTops(trie, postings);
  return {
    nameTrieChar: trie.char,
    nameTrieChild: trie.child,
    nameTrieTail: trie.tail,
    nameTrieValue: trie.value,
    nameTrieBest: trie.best,
    nameTrieTails: trie.tails,
    postings,
    postingBlocks: blockMinima(postings),
    runLo,
    runHi,
    runStart,
    runTops: tops,
    placePostings,
    postingOf,
    postingName: Uint8Array.from(nameOf.toArray()),
  };
}

/** Importance of 16 bits as an upper bound of 8. */
export function boundOf(importance: number): number {
  return Math.min(255, Math.ceil(importance / 257));
}

/** Code unit order, as the trie needs it; the default order of strings. */
export function byCodeUnits(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function collectKeys(places: readonly Place[]) {
  const keyIds = new Map<string, number>();
  const keyOf = new GrowingUint32();
  const flagsOf = new GrowingUint32();
  const nameOf = new GrowingUint32();
  const placePostings = new Uint32Array(places.length + 1);
  places.forEach((place, id) => {
    for (const [key, { flags, ordinal }] of keysOf(place.names)) {
      let keyId = keyIds.get(key);
      if (keyId === undefined) {
        keyId = keyIds.size;
        keyIds.set(key, keyId);
      }
      keyOf.push(keyId);
      flagsOf.push(flags);
      nameOf.push(ordinal);
    }
    placePostings[id + 1] = keyOf.length;
  });
  return { keyIds, keyOf, flagsOf, nameOf, placePostings };
}

function countStarts(keyOf: GrowingUint32, rank: Uint32Array, keyCount: number): Uint32Array {
  const starts = new Uint32Array(keyCount + 1);
  for (let slot = 0; slot < keyOf.length; slot++) starts[rank[keyOf.at(slot)]! + 1]!++;
  for (let key = 0; key < keyCount; key++) starts[key + 1]! += starts[key]!;
  return starts;
}

function blockMinima(postings: Uint32Array): Uint32Array {
  const blocks = new Uint32Array(Math.ceil(postings.length / POSTING.blockSize)).fill(POSTING.placeMask);
  postings.forEach((posting, i) => {
    const block = Math.floor(i / POSTING.blockSize);
    blocks[block] = Math.min(blocks[block]!, posting & POSTING.placeMask);
  });
  return blocks;
}
