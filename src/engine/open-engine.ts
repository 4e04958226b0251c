/**
 * The engine over an opened index: text search, nearest places, lookup by id. One instance serves one thread; its
 * scratch memory is reused from query to query, the index itself is shared.
 */
import type { Index } from '../index-file/layout.ts';
import { openIndex } from '../index-file/open-index.ts';
import { bearingDegrees, distanceMeters, type LatLng } from '../place/sphere.ts';
import { fold, foldWords } from '../text/fold.ts';
import { browse } from './browse.ts';
import { Candidates } from './candidates.ts';
import type { Engine, FullRecord, Hit, ReverseQuery, SearchQuery, SearchResult } from './engine.ts';
import { HitWriter } from './hit-writer.ts';
import { labelsOf } from './labels.ts';
import { SpatialIndex } from './nearest.ts';
import { PlaceFilter } from './place-filter.ts';
import { PlaceRecords } from './place-records.ts';
import { TextSearch } from './search.ts';

const PLAIN = /^[A-Za-z0-9, ]*$/;
/** More candidates than hits on a page, so that twins can be left out. */
const SPARE = 10;
const MOST_HITS = 20;

export function openEngine(bytes: SharedArrayBuffer | ArrayBuffer): Engine {
  return new IndexEngine(openIndex(bytes));
}

class IndexEngine implements Engine {
  readonly dataset;
  private readonly index: Index;
  private readonly records: PlaceRecords;
  private readonly spatial: SpatialIndex;
  private readonly filter: PlaceFilter;
  private readonly candidates: Candidates;
  private readonly text: TextSearch;
  private readonly hits: HitWriter;

  constructor(index: Index) {
    this.index = index;
    const { version, places, attribution } = index.head;
    this.dataset = { version, places, attribution };
    this.records = new PlaceRecords(index);
    this.filter = new PlaceFilter(index);
    this.spatial = new SpatialIndex({
      ids: index.treeIds,
      coords: index.treeCoords,
      latE7: index.placeLatE7,
      lngE7: index.placeLngE7,
    });
    this.candidates = new Candidates(index, MOST_HITS + SPARE);
    const { spatial, filter, candidates, records } = this;
    this.text = new TextSearch(index, { spatial, filter, candidates });
    this.hits = new HitWriter({ index, records, filter, top: candidates.top });
  }

  search(query: SearchQuery): SearchResult {
    this.filter.set(query);
    const words = foldWords(query.text);
    if (words.length === 0) return this.browse(query);
    this.candidates.begin(query.around, query.limit + SPARE);
    const { around, radiusMeters } = query;
    const isPlain = isTypedPlain(query.text);
    const searched = this.text.run(words, { isPlain, around, radiusMeters });
    const hits = this.hits.write(query, words, { searched, isPlain, bonus: (place) => this.candidates.bonus(place) });
    const degraded = this.hits.degraded(query, words, searched);
    return {
      hits,
      total: Math.max(searched.total, hits.length),
      isTotalExact: searched.isTotalExact,
      ...(degraded === undefined ? {} : { degraded }),
    };
  }

  reverse({ at, limit, types, language }: ReverseQuery): SearchResult {
    this.filter.set({ types });
    const into = { ids: new Uint32Array(limit), meters: new Float64Array(limit) };
    const accept = this.filter.isActive ? (place: number) => this.filter.accepts(place) : undefined;
    const count = this.spatial.nearest(at.lat, at.lng, limit, into, { accept });
    const hits = this.plainHits(into.ids.subarray(0, count), language, at);
    return {
      hits: hits.map((hit) => ({
        ...hit,
        bearingDegrees: bearingDegrees(at.lat, at.lng, hit.record.lat, hit.record.lng),
      })),
      total: count,
      isTotalExact: true,
    };
  }

  get(objectID: string, language?: string): FullRecord | undefined {
    const place = this.records.find(objectID);
    if (place === undefined) return undefined;
    const record = this.records.record(place, language);
    return { record, label: labelsOf([record])[0] ?? '', names: this.records.allNames(place) };
  }

  private browse({ limit, language, around, radiusMeters }: SearchQuery): SearchResult {
    const found = browse(this.index, this.filter, limit, { spatial: this.spatial, around, radiusMeters });
    return { hits: this.plainHits(found.places, language, around), total: found.total, isTotalExact: true };
  }

  private plainHits(places: ArrayLike<number>, language: string | undefined, from: LatLng | undefined): Hit[] {
    const records = Array.from(places, (place) => this.records.record(place, language));
    const labels = labelsOf(records);
    return records.map((record, i) => ({
      record,
      label: labels[i] ?? '',
      ...(from === undefined ? {} : { distanceMeters: distanceMeters(from.lat, from.lng, record.lat, record.lng) }),
    }));
  }
}

/** Commas and spaces belong to the query, not to the name. */
function isTypedPlain(text: string): boolean {
  return (
    PLAIN.test(text) ||
    fold(text) ===
      text
        .toLowerCase()
        .replace(/[\s,]+/gu, ' ')
        .trim()
  );
}
