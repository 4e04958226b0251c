/**
 * Stores alternate names compactly, only for the GeoNames ids that a build needs. All 16 million
 * names of alternateNamesV2.txt would take gigabytes.
 */

import { Interner } from '../../collections/sets.ts';
import { indexInSorted } from '../../collections/sorting.ts';
import { GrowingArray } from '../../collections/typed-array.ts';
import { NAME_KINDS } from '../../place/place.ts';
import type { AlternateName, AlternateRow } from './alternate-row.ts';

const KINDS = [...NAME_KINDS, 'wikidata'] as const;
const NO_NAME = 0xffff_ffff;

/** Names by GeoNames id. Names are numbered in the order of addition. */
export class AlternateNames {
  readonly #ids: Uint32Array;
  /** By index in `#ids`: the number of the last name. */
  readonly #lastNames: Uint32Array;
  /** By name number: the previous name of the same id. */
  readonly #previousNames = new GrowingArray(Uint32Array);
  /** By name number: the exclusive end in `#text`. */
  readonly #textEnds = new GrowingArray(Float64Array);
  /** By name number: language number (upper 16 bits), `order` (8 bits), index in KINDS (8 bits). */
  readonly #attributes = new GrowingArray(Uint32Array);
  readonly #text = new GrowingArray(Uint8Array);
  readonly #languages = new Interner();

  /** The ids may repeat and be in any order. */
  constructor(ids: Uint32Array) {
    this.#ids = ids.slice().sort();
    this.#lastNames = new Uint32Array(ids.length).fill(NO_NAME);
  }

  /** Ignores a name whose id was not given to the constructor. */
  add(row: AlternateRow): void {
    const index = indexInSorted(this.#ids, row.geonameId);
    if (index === -1) return;
    this.#previousNames.push(this.#lastNames[index] as number);
    this.#lastNames[index] = this.#previousNames.length - 1;
    this.#text.pushAll(Buffer.from(row.value));
    this.#textEnds.push(this.#text.length);
    const kind = KINDS.indexOf(row.kind);
    this.#attributes.push(((this.#languages.intern(row.language) << 16) | (row.order << 8) | kind) >>> 0);
  }

  /** Names in the order of addition. */
  get(id: number): AlternateName[] {
    const index = indexInSorted(this.#ids, id);
    if (index === -1) return [];
    const names: AlternateName[] = [];
    let nameNumber = this.#lastNames[index] as number;
    while (nameNumber !== NO_NAME) {
      names.push(this.#readName(nameNumber));
      nameNumber = this.#previousNames.at(nameNumber);
    }
    return names.reverse();
  }

  #readName(nameNumber: number): AlternateName {
    const attributes = this.#attributes.at(nameNumber);
    const start = nameNumber === 0 ? 0 : this.#textEnds.at(nameNumber - 1);
    const text = this.#text.view().subarray(start, this.#textEnds.at(nameNumber));
    return {
      value: Buffer.from(text.buffer, text.byteOffset, text.byteLength).toString('utf8'),
      kind: KINDS[attributes & 0xff] as AlternateName['kind'],
      language: this.#languages.strings[attributes >>> 16] as string,
      order: (attributes >>> 8) & 0xff,
    };
  }
}
