/** The names of an index, and names that look like them but are not in it. */
import type { Index } from 'toponym-engine/index-file/layout';
import { readObjectId, readText } from 'toponym-engine/index-file/packed-record';
import { isMainFromStart, POSTING } from 'toponym-engine/index-file/posting';
import { openTrie } from 'toponym-engine/index-file/trie';
import { fold } from 'toponym-engine/text/fold';
import { KeyTrie } from 'toponym-engine/trie/key-trie';
import { MatchRanges } from 'toponym-engine/trie/match-ranges';
import { TypoWalk } from 'toponym-engine/trie/typo-walk';
import { WorkBudget } from 'toponym-engine/work-budget';
import type { Random } from '../drawn-places.ts';

/** Letters that decide the next one. */
const ORDER = 3;
/** The most important names of a country, which are enough for its sound. */
const MAX_NAMES = 1500;
const START = '^'.repeat(ORDER);
const END = '$';
const MIN_LENGTH = 6;
const MAX_LENGTH = 20;
const MAX_ATTEMPTS = 50;
const NO_MIN_IMPORTANCE = [0, 0];

export class ListedNames {
  private readonly index: Index;
  private readonly keys: KeyTrie;
  private readonly work = new WorkBudget();
  private readonly walk: TypoWalk;
  private readonly ranges = new MatchRanges();
  /** By country: for each sequence of ORDER letters, those that follow it, as often as they do. */
  private readonly chains = new Map<string, Map<string, string>>();

  constructor(index: Index) {
    this.index = index;
    this.keys = new KeyTrie(openTrie(index, 'nameTrie'), index.postings.length);
    this.walk = new TypoWalk(this.keys, this.work);
  }

  has(folded: string): boolean {
    return this.keys.find(folded) && this.keys.lo < this.keys.exactEnd;
  }

  /** Whether it is the main name of a place. */
  hasMain(folded: string): boolean {
    return this.has(folded) && this.postings().some((posting) => isMainFromStart(posting >>> POSTING.flagShift));
  }

  /** The object ids of the places with this name. */
  placesNamed(folded: string): ReadonlySet<string> {
    if (!this.has(folded)) return new Set();
    const whole = this.postings().filter((posting) => ((posting >>> POSTING.flagShift) & POSTING.isLaterWord) === 0);
    return new Set(Array.from(whole, (posting) => readObjectId(this.index, posting & POSTING.placeMask)));
  }

  /** Those of the name that was looked up last. */
  private postings(): Uint32Array {
    return this.index.postings.subarray(this.keys.lo, this.keys.exactEnd);
  }

  /** A name that sounds like the country's and is not listed. Undefined if the country has too few names. */
  absentName(country: string, random: Random): string | undefined {
    for (let i = 0; i < MAX_ATTEMPTS; i++) {
      const name = this.chainedName(country, random);
      if (name.length >= MIN_LENGTH && name.length <= MAX_LENGTH && !this.isLike(name)) return name;
    }
    return undefined;
  }

  /** Whether a listed name starts with the text, is one of its words, or differs by a typo. */
  private isLike(name: string): boolean {
    if (this.keys.find(name) || name.split(' ').some((word) => this.has(word))) return true;
    this.work.reset();
    this.ranges.clear();
    const query = { text: name, maxTypos: 1, isPrefix: false, minImportance: NO_MIN_IMPORTANCE } as const;
    this.walk.collectInto(this.ranges, query);
    return this.ranges.count > 0;
  }

  private chainedName(country: string, random: Random): string {
    const chain = this.chains.get(country) ?? this.readChain(country);
    this.chains.set(country, chain);
    let name = START;
    for (let letter = ''; letter !== END && name.length < START.length + 2 * MAX_LENGTH; name += letter) {
      const next = chain.get(name.slice(-ORDER))!;
      letter = next[random(next.length)]!;
    }
    return name.slice(START.length, -END.length);
  }

  private readChain(country: string): Map<string, string> {
    const { regionPlaces, regionPlaceStart, metadata, nameText, placeNames } = this.index;
    const region = metadata.countries.indexOf(country) + 1;
    const places = regionPlaces.subarray(regionPlaceStart[region], regionPlaceStart[region + 1]);
    const chain = new Map<string, string>();
    for (const place of places.subarray(0, MAX_NAMES)) {
      const name = `${START}${fold(readText(this.index, nameText[placeNames[place]!]!))}${END}`;
      for (let at = ORDER; at < name.length; at++) {
        const before = name.slice(at - ORDER, at);
        chain.set(before, (chain.get(before) ?? '') + name[at]);
      }
    }
    return chain;
  }
}
