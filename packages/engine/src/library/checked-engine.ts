/** What programs of others get of an engine: it checks what they pass, and returns plain objects of their own. */
import type { Dataset, Engine, FullRecord, Hit, PlaceRecord, SearchResult } from '../engine.ts';
import { checkedReverseQuery, checkedSearchQuery, preview, type ReverseOptions, type SearchOptions } from './checks.ts';

/** Fields for the service, its measurements and the calibration of `confidence`. */
const INTERNAL_FIELDS = ['hasPlainLabel', 'work', 'scored'] as const;
type Public<T> = Omit<T, (typeof INTERNAL_FIELDS)[number]>;

export interface PlainHit extends Public<Hit> {}
export interface Results extends Public<Omit<SearchResult, 'hits'>> {
  readonly hits: readonly PlainHit[];
}

/** An open index. Every method throws a TypeError for wrong arguments. */
export interface OpenEngine {
  /** The version, size and attribution of the data. */
  readonly dataset: Dataset;
  search(query: SearchOptions): Results;
  reverse(query: ReverseOptions): Results;
  /** One place with all its names, or undefined if no place has this id. */
  get(objectID: string, language?: string): FullRecord | undefined;
}

export class CheckedEngine implements OpenEngine {
  readonly dataset: Dataset;
  readonly #engine: Engine;

  constructor(engine: Engine) {
    this.#engine = engine;
    const { version, places, attribution } = engine.dataset;
    this.dataset = Object.freeze({ version, places, attribution: Object.freeze([...attribution]) });
  }

  search(query: SearchOptions): Results {
    return publicResult(this.#engine.search(checkedSearchQuery(query)));
  }

  reverse(query: ReverseOptions): Results {
    return publicResult(this.#engine.reverse(checkedReverseQuery(query)));
  }

  get(objectID: string, language?: string): FullRecord | undefined {
    if (typeof objectID !== 'string') {
      throw new TypeError(`get: the id must be a string such as "G2988507", got ${preview(objectID)}`);
    }
    if (language !== undefined && typeof language !== 'string') {
      throw new TypeError(`get: language must be a language tag such as "fr", got ${preview(language)}`);
    }
    const found = this.#engine.get(objectID, language);
    return found && { ...found, record: withOwnRegions(found.record) };
  }
}

function publicResult({ hits, ...result }: SearchResult): Results {
  return { hits: hits.map(publicHit), ...publicFields(result) };
}

function publicHit(hit: Hit): PlainHit {
  return { ...publicFields(hit), record: withOwnRegions(hit.record) };
}

/** The public fields that have a value. */
function publicFields<T extends object>(fields: T): Public<T> {
  const internal: readonly string[] = INTERNAL_FIELDS;
  const shown = Object.entries(fields).filter(([name, value]) => value !== undefined && !internal.includes(name));
  return Object.fromEntries(shown) as Public<T>;
}

/** Copies the regions, because the engine keeps them for other records. */
function withOwnRegions(record: PlaceRecord): PlaceRecord {
  const { country, countryCode, administrative, county, labelDivision, labelEnd } = record.regions;
  const lists = { administrative: [...administrative], county: [...county] };
  return { ...record, regions: { country, countryCode, ...lists, labelDivision, labelEnd } };
}
