/** Opens an index as an engine: searches, reverse lookups, and records by id. */

import { ContainingLookup } from './containing/containing-lookup.ts';
import type { LoadBorders } from './containing/point-countries.ts';
import type { Dataset, Engine, FullRecord, ReverseQuery, SearchQuery, SearchResult } from './engine.ts';
import type { Index } from './index-file/layout.ts';
import { openIndex } from './index-file/open-index.ts';
import { findPlace, findSuccessor } from './index-file/packed-record.ts';
import { SpatialIndex } from './nearest.ts';
import { createResult, type FoundPage, type FoundPlace } from './page/hit-page.ts';
import { baseLabel } from './page/labels.ts';
import { Landmarks } from './page/landmarks.ts';
import { MAX_CANDIDATES } from './page/page-selection.ts';
import { PlaceRecords } from './page/place-records.ts';
import { parseCoordinates } from './place/coordinates/coordinate-text.ts';
import type { LatLng } from './place/sphere.ts';
import { Candidates } from './rank/candidates.ts';
import { createFilter, PlaceCounts } from './rank/place-filter.ts';
import { SearchPages, WITHOUT_TEXT } from './search/search-pages.ts';
import { MAX_HITS, MAX_WORK, WorkBudget } from './work-budget.ts';

type FoundPlaces = Omit<FoundPage, keyof typeof WITHOUT_TEXT | 'isExhaustive'>;

interface EngineOptions {
  /** Bounds the work of a search. */
  readonly maxWork?: number;
  /** Needed for reverse lookups in mode `containing` to respect borders. */
  readonly loadBorders?: LoadBorders | undefined;
}

export function openEngine(bytes: SharedArrayBuffer | ArrayBuffer, options?: EngineOptions): Engine {
  return new IndexEngine(openIndex(bytes), options);
}

/** Each thread has its own instance, which reuses memory from query to query. */
export class IndexEngine implements Engine {
  readonly dataset: Dataset;
  readonly index: Index;
  readonly records: PlaceRecords;
  readonly landmarks: Landmarks;
  readonly searches: SearchPages;
  private readonly spatial: SpatialIndex;
  private readonly counts: PlaceCounts;
  private readonly createContaining: () => ContainingLookup;
  /** Created when first needed, because its lists take some milliseconds. */
  private containing: ContainingLookup | undefined;
  private readonly work: WorkBudget;
  private readonly neighbors = { ids: new Uint32Array(MAX_HITS), meters: new Float64Array(MAX_HITS) };

  constructor(index: Index, { maxWork = MAX_WORK, loadBorders }: EngineOptions = {}) {
    this.index = index;
    const { version, places, attribution } = index.metadata;
    this.dataset = { version, places, attribution };
    const records = new PlaceRecords(index);
    const work = new WorkBudget(maxWork);
    const counts = new PlaceCounts(index);
    const spatial = new SpatialIndex({
      ids: index.treeIds,
      coords: index.treeCoords,
      latE7: index.placeLatE7,
      lngE7: index.placeLngE7,
    });
    const candidates = new Candidates(index, MAX_CANDIDATES);
    this.records = records;
    this.work = work;
    this.counts = counts;
    this.spatial = spatial;
    this.landmarks = new Landmarks(index, { records, spatial });
    this.searches = new SearchPages({ index, spatial, candidates, work }, records);
    const sources = { records, spatial, counts, work, loadBorders };
    this.createContaining = () => new ContainingLookup(index, sources);
  }

  search(asSent: SearchQuery): SearchResult {
    const query = withoutPercents(asSent);
    return this.searchAtCoordinates(query) ?? createResult(this, this.searches.page(query), query);
  }

  /** Answers a search for coordinates, such as "48.8584, 2.2945". Undefined for other texts. */
  private searchAtCoordinates(query: SearchQuery): SearchResult | undefined {
    const { text, limit, types, language } = query;
    const resultAt = (typedPoint: LatLng): SearchResult => {
      const result = this.reverse({ at: typedPoint, limit, mode: 'containing', types, language, filters: query });
      const { hits, total, isTotalExact, isExhaustive, work, pointCountry } = result;
      return { hits, total, isTotalExact, isExhaustive, work, pointCountry, typedPoint };
    };
    const results = parseCoordinates(text).map(resultAt);
    return results.find(isInPlace) ?? results.find(isInCountry) ?? results[0];
  }

  reverse(query: ReverseQuery): SearchResult {
    this.work.reset();
    const places = query.mode === 'containing' ? this.containingPlaces(query) : this.nearestPlaces(query);
    const isExhaustive = !this.work.isExceeded;
    const page = { ...WITHOUT_TEXT, ...places, from: query.at, isReverse: true, isExhaustive, work: this.work.used };
    return createResult(this, page, query);
  }

  private nearestPlaces({ at, limit, types }: ReverseQuery): FoundPlaces {
    const { neighbors, work } = this;
    const filter = createFilter(this.index, { types });
    const accept = filter.isActive ? (place: number) => filter.accepts(place) : undefined;
    const count = this.spatial.nearest(at.lat, at.lng, limit, neighbors, { accept, work });
    const found: FoundPlace[] = [];
    for (let i = 0; i < count; i++) found.push({ place: neighbors.ids[i]!, score: -neighbors.meters[i]! });
    return { found, total: this.counts.passing(filter), isTotalExact: true };
  }

  private containingPlaces(query: ReverseQuery): FoundPlaces {
    this.containing ??= this.createContaining();
    const { country, places, total, isTotalExact } = this.containing.find(query);
    const found = places.map(({ place, meters, isInside }) => ({ place, score: -meters, isInside }));
    return { found, total, isTotalExact, pointCountry: country };
  }

  get(objectID: string, language?: string): FullRecord | undefined {
    const found = findPlace(this.index, objectID);
    const place = found ?? findSuccessor(this.index, objectID);
    if (place === undefined) return undefined;
    const record = this.records.record(place, language);
    return {
      record,
      label: baseLabel(record),
      names: this.records.allNames(place),
      ...(found === undefined ? { supersededBy: record.objectID } : {}),
    };
  }
}

/** Decodes the text of a query that was encoded twice: "S%C3%A3o%20Paulo". */
function withoutPercents(query: SearchQuery): SearchQuery {
  const { text } = query;
  if (!/%[0-9a-f]{2}/i.test(text)) return query;
  try {
    return { ...query, text: decodeURIComponent(text) };
  } catch {
    return query; // no UTF-8
  }
}

function isInPlace({ hits }: SearchResult): boolean {
  return hits[0]?.isInside === true;
}

function isInCountry({ pointCountry }: SearchResult): boolean {
  return typeof pointCountry === 'string';
}
