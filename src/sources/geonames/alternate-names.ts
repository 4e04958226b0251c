/**
 * The names of many places, in little memory: the text once as UTF-8, and sixteen bytes a name. alternateNamesV2.txt has 16
 * million lines in an order of its own, of which a search for cities needs few; so the ids of the places are read first, in a
 * pass of their own, and only their names are kept. (Sorting the file on disk would need room for a copy of it; holding all
 * lines, gigabytes.)
 */

import { GrowingArray } from '../../collections/growing-array.ts';
import { indexInSorted } from '../../collections/lower-bound.ts';
import { NAME_KINDS } from '../../place/place.ts';
import type { AlternateName, AlternateRow } from './alternate-row.ts';

const KINDS = [...NAME_KINDS, 'wikidata'] as const;
const NONE = 0xffff_ffff;

export class AlternateNames {
  /** Ascending. */
  readonly #ids: Uint32Array;
  /** By position of the id: its newest name, from which `#previous` leads to the older ones. */
  readonly #newest: Uint32Array;
  readonly #previous = new GrowingArray(Uint32Array);
  readonly #textEnd = new GrowingArray(Float64Array);
  /** Language number in the upper 16 bits, then 8 for the order and 8 for the kind. */
  readonly #labels = new GrowingArray(Uint32Array);
  readonly #text = new GrowingArray(Uint8Array);
  readonly #languages: string[] = [];
  readonly #languageNumbers = new Map<string, number>();

  /** Ids may repeat, in any order. */
  constructor(ids: Uint32Array) {
    this.#ids = ids.slice().sort();
    this.#newest = new Uint32Array(ids.length).fill(NONE);
  }

  get size(): number {
    return this.#previous.length;
  }

  /** False when nobody asked for names of this id. */
  add(row: AlternateRow): boolean {
    const position = indexInSorted(this.#ids, row.geonameId);
    if (position === -1) return false;
    this.#previous.push(this.#newest[position] as number);
    this.#newest[position] = this.#previous.length - 1;
    this.#text.pushAll(Buffer.from(row.value));
    this.#textEnd.push(this.#text.length);
    const kind = KINDS.indexOf(row.kind);
    this.#labels.push(((this.#numberOf(row.language) << 16) | (row.order << 8) | kind) >>> 0);
    return true;
  }

  /** In the order they were added. */
  of(id: number): AlternateName[] {
    const position = indexInSorted(this.#ids, id);
    if (position === -1) return [];
    const names: AlternateName[] = [];
    const previous = this.#previous.view();
    for (let at = this.#newest[position] as number; at !== NONE; at = previous[at] as number)
      names.push(this.#name(at));
    return names.reverse();
  }

  #name(at: number): AlternateName {
    const ends = this.#textEnd.view();
    const label = this.#labels.view()[at] as number;
    const text = this.#text.view().subarray(at === 0 ? 0 : ends[at - 1], ends[at]);
    return {
      value: Buffer.from(text.buffer, text.byteOffset, text.byteLength).toString('utf8'),
      kind: KINDS[label & 0xff] as AlternateName['kind'],
      language: this.#languages[label >>> 16] as string,
      order: (label >>> 8) & 0xff,
    };
  }

  #numberOf(language: string): number {
    let number = this.#languageNumbers.get(language);
    if (number === undefined) {
      number = this.#languages.push(language) - 1;
      this.#languageNumbers.set(language, number);
    }
    return number;
  }
}
