/** The library's object over an engine. It checks what the caller passes. */
import type { Dataset, Engine, FullRecord, Hit, PlaceRecord, SearchResult } from 'toponym-engine/engine';
import { checkedReverseQuery, checkedSearchQuery, preview, type ReverseOptions, type SearchOptions } from './checks.ts';

/** Fields for the service, its measurements and the calibration of `confidence`. */
const INTERNAL_FIELDS = ['hasPlainLabel', 'work', 'scored'] as const;
type Public<T> = Omit<T, (typeof INTERNAL_FIELDS)[number]>;

export interface PlainHit extends Public<Hit> {}
export interface Results extends Public<Omit<SearchResult, 'hits'>> {
  readonly hits: readonly PlainHit[];
}

/** An open index. Every method throws a TypeError for wrong arguments, and after `close`. */
export interface Toponym {
  /** The version, size and attribution of the data. */
  readonly dataset: Dataset;
  search(query: SearchOptions): Results;
  reverse(query: ReverseOptions): Results;
  /** One place with all its names, or undefined if no place has this id. */
  get(objectID: string, language?: string): FullRecord | undefined;
  /** Lets go of the index, so that its memory can be freed. */
  close(): Promise<void>;
}

export class OpenToponym implements Toponym {
  readonly dataset: Dataset;
  #engine: Engine | undefined;

  constructor(engine: Engine) {
    this.#engine = engine;
    const { version, places, attribution } = engine.dataset;
    this.dataset = Object.freeze({ version, places, attribution: Object.freeze([...attribution]) });
  }

  search(query: SearchOptions): Results {
    return publicResult(this.#openEngine().search(checkedSearchQuery(query)));
  }

  reverse(query: ReverseOptions): Results {
    return publicResult(this.#openEngine().reverse(checkedReverseQuery(query)));
  }

  get(objectID: string, language?: string): FullRecord | undefined {
    if (typeof objectID !== 'string') {
      throw new TypeError(`get: the id must be a string such as "G2988507", got ${preview(objectID)}`);
    }
    if (language !== undefined && typeof language !== 'string') {
      throw new TypeError(`get: language must be a language tag such as "fr", got ${preview(language)}`);
    }
    const found = this.#openEngine().get(objectID, language);
    return found && { ...found, record: withOwnRegions(found.record) };
  }

  async close(): Promise<void> {
    this.#engine = undefined;
  }

  #openEngine(): Engine {
    if (this.#engine === undefined) throw new TypeError('this Toponym is closed: open it again with openToponym()');
    return this.#engine;
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
