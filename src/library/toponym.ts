/**
 * The library's object over an engine. It checks what the caller passes, and returns plain objects:
 * the engine's hits compute their fields when they are read, so JSON would leave those out.
 */
import type { Dataset, Engine, FullRecord, Hit, PlaceRecord, SearchResult } from '../engine/engine.ts';
import { checkedReverseQuery, checkedSearchQuery, preview, type ReverseOptions, type SearchOptions } from './checks.ts';

export type PlainHit = Omit<Hit, 'hasPlainLabel' | 'guarantee' | 'matchKind'>;
export interface Results
  extends Pick<
    SearchResult,
    'total' | 'isTotalExact' | 'isExhaustive' | 'typedPoint' | 'degraded' | 'matchedRegion' | 'pointCountry'
  > {
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
    return plainResult(this.#openEngine().search(checkedSearchQuery(query)));
  }

  reverse(query: ReverseOptions): Results {
    return plainResult(this.#openEngine().reverse(checkedReverseQuery(query)));
  }

  get(objectID: string, language?: string): FullRecord | undefined {
    if (typeof objectID !== 'string') {
      throw new TypeError(`get: the id must be a string such as "G2988507", got ${preview(objectID)}`);
    }
    if (language !== undefined && typeof language !== 'string') {
      throw new TypeError(`get: language must be a language tag such as "fr", got ${preview(language)}`);
    }
    const found = this.#openEngine().get(objectID, language);
    return found && { ...found, record: plainRecord(found.record) };
  }

  async close(): Promise<void> {
    this.#engine = undefined;
  }

  #openEngine(): Engine {
    if (this.#engine === undefined) throw new TypeError('this Toponym is closed: open it again with openToponym()');
    return this.#engine;
  }
}

function plainResult(result: SearchResult): Results {
  const { total, isTotalExact, isExhaustive, typedPoint, degraded, matchedRegion, pointCountry } = result;
  return {
    hits: result.hits.map(plainHit),
    ...withoutUndefined({ total, isTotalExact, isExhaustive, typedPoint, degraded, matchedRegion, pointCountry }),
  };
}

function plainHit(hit: Hit): PlainHit {
  const { objectID, label, score, confidence, matchCode, distanceMeters, bearingDegrees, isInside } = hit;
  const { matchedName, highlight, ranking } = hit;
  return {
    ...withoutUndefined({ objectID, label, score, confidence, matchCode, distanceMeters, bearingDegrees, isInside }),
    ...withoutUndefined({ matchedName, highlight, ranking }),
    record: plainRecord(hit.record),
  };
}

function plainRecord(record: PlaceRecord): PlaceRecord {
  const { objectID, name, type, city, population, importance, timezone, lat, lng, box } = record;
  const { country, countryCode, administrative, county, labelDivision, labelEnd } = record.regions;
  return {
    ...{ objectID, name, type, city, population, importance, timezone, lat, lng, box },
    // copies, because the engine keeps its lists for other records
    regions: {
      country,
      countryCode,
      administrative: [...administrative],
      county: [...county],
      labelDivision,
      labelEnd,
    },
  };
}

function withoutUndefined<T extends object>(fields: T): T {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T;
}
