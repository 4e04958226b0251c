/**
 * Compact storage for the alternate names of many places, divisions and countries, by GeoNames id:
 * UTF-8 text plus sixteen bytes per name. alternateNamesV2.txt has 16 million lines that are not
 * grouped by id, and most builds need few of them. So geonames.ts first collects the ids that the
 * build needs, and only their names are stored. Why not all names: they would need gigabytes. Why
 * not sort the file on disk: that would need space for a copy.
 */
import { GrowingArray } from '../../collections/growing-array.ts';
import { Interner } from '../../collections/interner.ts';
import { indexInSorted } from '../../collections/lower-bound.ts';
import { NAME_KINDS } from '../../place/place.ts';
import type { AlternateName, AlternateRow } from './alternate-row.ts';

const KINDS = [...NAME_KINDS, 'wikidata'] as const;
/** Ends the linked list of an id's names. */
const NO_NAME = 0xffff_ffff;

/** Names are numbered in the order of addition. Those of one id form a linked list, last first. */
export class AlternateNames {
  /** Ids in ascending order. */
  readonly #ids: Uint32Array;
  /** Number of the last name of each id, by index in `#ids`. */
  readonly #lastNames: Uint32Array;
  /** By name number: the number of the previous name of the same id. */
  readonly #previousNames = new GrowingArray(Uint32Array);
  /** By name number: where the name ends in `#text`. */
  readonly #textEnds = new GrowingArray(Float64Array);
  /**
   * By name number: the number of its language in `#languages` (upper 16 bits), its `order` (next
   * 8 bits) and the index of its kind in `KINDS` (lowest 8 bits).
   */
  readonly #attributes = new GrowingArray(Uint32Array);
  readonly #text = new GrowingArray(Uint8Array);
  readonly #languages = new Interner();

  /** Only names of these ids will be stored. The ids may repeat and be in any order. */
  constructor(ids: Uint32Array) {
    this.#ids = ids.slice().sort();
    this.#lastNames = new Uint32Array(ids.length).fill(NO_NAME);
  }

  /** Stores the name if the constructor was given its GeoNames id; otherwise ignores it. */
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

  /** Returns the names of an id in the order of addition. */
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
