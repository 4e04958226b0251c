/**
 * Compact storage for the names of many places: UTF-8 text plus sixteen bytes per name.
 * alternateNamesV2.txt has 16 million lines that are not grouped by place, and most builds need few
 * of them. So a first pass collects the ids of the places, and only their names are stored.
 * (Sorting the file on disk would need space for a copy; storing all lines would need gigabytes.)
 */
import { GrowingArray } from '../../collections/growing-array.ts';
import { Interner } from '../../collections/interner.ts';
import { indexInSorted } from '../../collections/lower-bound.ts';
import { NAME_KINDS } from '../../place/place.ts';
import type { AlternateName, AlternateRow } from './alternate-row.ts';

const KINDS = [...NAME_KINDS, 'wikidata'] as const;
const NONE = 0xffff_ffff;

export class AlternateNames {
  /** Ids in ascending order. */
  readonly #ids: Uint32Array;
  /** Newest name of each id, by index in `#ids`; `#previous` links to the names added earlier. */
  readonly #newest: Uint32Array;
  readonly #previous = new GrowingArray(Uint32Array);
  readonly #textEnd = new GrowingArray(Float64Array);
  /** Language in the upper 16 bits, then 8 bits for the order and 8 for the kind. */
  readonly #labels = new GrowingArray(Uint32Array);
  readonly #text = new GrowingArray(Uint8Array);
  readonly #languages = new Interner();

  /** Stores the names of these ids, which may repeat and be in any order. */
  constructor(ids: Uint32Array) {
    this.#ids = ids.slice().sort();
    this.#newest = new Uint32Array(ids.length).fill(NONE);
  }

  get size(): number {
    return this.#previous.length;
  }

  /** Stores the name if its id is one of `ids`. Returns whether it was stored. */
  add(row: AlternateRow): boolean {
    const index = indexInSorted(this.#ids, row.geonameId);
    if (index === -1) return false;
    this.#previous.push(this.#newest[index] as number);
    this.#newest[index] = this.#previous.length - 1;
    this.#text.pushAll(Buffer.from(row.value));
    this.#textEnd.push(this.#text.length);
    const kind = KINDS.indexOf(row.kind);
    this.#labels.push(((this.#languages.intern(row.language) << 16) | (row.order << 8) | kind) >>> 0);
    return true;
  }

  /** Returns the names of an id in the order of addition. */
  get(id: number): AlternateName[] {
    const index = indexInSorted(this.#ids, id);
    if (index === -1) return [];
    const names: AlternateName[] = [];
    const previous = this.#previous.view();
    for (let name = this.#newest[index] as number; name !== NONE; name = previous[name] as number)
      names.push(this.#name(name));
    return names.reverse();
  }

  #name(name: number): AlternateName {
    const ends = this.#textEnd.view();
    const label = this.#labels.view()[name] as number;
    const text = this.#text.view().subarray(name === 0 ? 0 : ends[name - 1], ends[name]);
    return {
      value: Buffer.from(text.buffer, text.byteOffset, text.byteLength).toString('utf8'),
      kind: KINDS[label & 0xff] as AlternateName['kind'],
      language: this.#languages.strings[label >>> 16] as string,
      order: (label >>> 8) & 0xff,
    };
  }
}
