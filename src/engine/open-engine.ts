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
import { browsedRanking, browsedStanding } from './explain.ts';
import { HitWriter } from './hit-writer.ts';
import { labelsOf } from './labels.ts';
import { LayeredEngine } from './layered-engine.ts';
import { SpatialIndex } from './nearest.ts';
import { PlaceFilter } from './place-filter.ts';
import { PlaceRecords } from './place-records.ts';
import { TextSearch } from './search.ts';

const PLAIN = /^[A-Za-z0-9, ]*$/;
/** More candidates than hits on a page, so that twins can be left out. */
const SPARE = 6;
const MOST_HITS = 20;

/** With an overlay, its places stand in for those of the index that it replaces. */
export function openEngine(
  bytes: SharedArrayBuffer | ArrayBuffer,
  overlay?: SharedArrayBuffer | ArrayBuffer | undefined,
): Engine {
  if (overlay === undefined) return new IndexEngine(openIndex(bytes), []);
  const over = openIndex(overlay);
  const base = new IndexEngine(openIndex(bytes), over.head.replaces ?? []);
  return new LayeredEngine(base, new IndexEngine(over, []), over.head.replaces ?? []);
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

  constructor(index: Index, replaced: readonly string[]) {
    this.index = index;
    const { version, places, attribution } = index.head;
    this.dataset = { version, places, attribution };
    this.records = new PlaceRecords(index);
    const isHidden = hiddenPlaces(index, this.records, replaced);
    this.filter = new PlaceFilter(index, isHidden);
    this.spatial = new SpatialIndex({
      ids: index.treeIds,
      coords: index.treeCoords,
      latE7: index.placeLatE7,
      lngE7: index.placeLngE7,
    });
    this.candidates = new Candidates(index, MOST_HITS + SPARE, isHidden);
    const { spatial, filter, candidates, records } = this;
    this.text = new TextSearch(index, { spatial, filter, candidates });
    this.hits = new HitWriter({ index, records, filter, top: candidates.top });
  }

  search(query: SearchQuery): SearchResult {
    this.filter.set(query);
    const words = foldWords(query.text);
    if (query.text.trim() === '') return this.browse(query);
    if (words.length === 0) return { hits: [], total: 0, isTotalExact: true }; // signs only: nothing is called that
    this.candidates.begin(query.around, query.limit + SPARE);
    const { around, radiusMeters } = query;
    const isPlain = isTypedPlain(query.text);
    const searched = this.text.run(words, { limit: query.limit, isPlain, around, radiusMeters });
    const hits = this.hits.write(query, words, { searched, isPlain, bonus: (place) => this.candidates.bonus(place) });
    const degraded = this.hits.degraded(query, words, searched);
    return {
      hits,
      total: Math.max(searched.total, hits.length),
      isTotalExact: searched.isTotalExact && hits.length <= searched.total,
      ...(degraded === undefined ? {} : { degraded }),
    };
  }

  reverse({ at, limit, types, language }: ReverseQuery): SearchResult {
    this.filter.set({ types });
    const into = { ids: new Uint32Array(limit), meters: new Float64Array(limit) };
    const accept = !this.filter.isOpen ? (place: number) => this.filter.accepts(place) : undefined;
    const count = this.spatial.nearest(at.lat, at.lng, limit, into, { accept });
    const hits = this.plainHits(into.ids.subarray(0, count), language, at);
    return {
      hits: hits.map((hit) => ({
        ...hit,
        score: -(hit.distanceMeters ?? 0),
        bearingDegrees: bearingDegrees(at.lat, at.lng, hit.record.lat, hit.record.lng),
      })),
      // every place is at some distance, so all that pass are found; they are not counted for it
      total: this.filter.isOpen ? this.index.head.places : count,
      isTotalExact: this.filter.isOpen || count < limit,
    };
  }

  get(objectID: string, language?: string): FullRecord | undefined {
    const found = this.records.find(objectID);
    const place = found ?? this.records.findSuccessor(objectID);
    if (place === undefined) return undefined;
    const record = this.records.record(place, language);
    return {
      record,
      label: labelsOf([record])[0] ?? '',
      names: this.records.allNames(place),
      ...(found === undefined ? { supersededBy: record.objectID } : {}),
    };
  }

  private browse({ limit, language, around, radiusMeters, explain }: SearchQuery): SearchResult {
    const { places, total } = browse(this.index, this.filter, limit, { spatial: this.spatial, around, radiusMeters });
    const ids = places.map(({ place }) => place);
    const standings = places.map(({ place, nearness }) => browsedStanding(this.index, place, nearness));
    const hits = this.plainHits(ids, language, around).map((hit, i): Hit => {
      const standing = standings[i]!;
      const scored = { ...hit, score: standing.score };
      if (!explain) return scored;
      const facts = { filters: this.filter.count, geoDistanceMeters: hit.distanceMeters ?? 0 };
      return { ...scored, ranking: browsedRanking(standing, standings[i + 1], facts) };
    });
    return { hits, total, isTotalExact: true };
  }

  private plainHits(places: ArrayLike<number>, language: string | undefined, from: LatLng | undefined): Hit[] {
    const records = Array.from(places, (place) => this.records.record(place, language));
    const labels = labelsOf(records);
    return records.map((record, i) => ({
      record,
      score: record.importance,
      label: labels[i] ?? '',
      ...(from === undefined ? {} : { distanceMeters: distanceMeters(from.lat, from.lng, record.lat, record.lng) }),
    }));
  }
}

/** 1 for each place with one of the ids; undefined where there is none. */
function hiddenPlaces(index: Index, records: PlaceRecords, ids: readonly string[]): Uint8Array | undefined {
  if (ids.length === 0) return undefined;
  const isHidden = new Uint8Array(index.head.places);
  for (const id of ids) {
    const place = records.find(id);
    if (place !== undefined) isHidden[place] = 1;
  }
  return isHidden;
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
