/**
 * Pages of searches and reverse lookups, and records by id. Each thread has its own instance, which reuses memory from query to query.
 */

import { ContainingLookup } from './containing/containing-lookup.ts';
import type { LoadBorders } from './containing/point-countries.ts';
import type { Dataset, FullRecord, ReverseQuery } from './engine.ts';
import type { Index } from './index-file/layout.ts';
import { findPlace, findSuccessor } from './index-file/packed-record.ts';
import { SpatialIndex } from './nearest.ts';
import type { FoundPage, FoundPlace } from './page/hit-page.ts';
import { baseLabel } from './page/labels.ts';
import { Landmarks } from './page/landmarks.ts';
import { MAX_CANDIDATES } from './page/page-selection.ts';
import { PlaceRecords } from './page/place-records.ts';
import { Candidates } from './rank/candidates.ts';
import { createFilter, PlaceCounts } from './rank/place-filter.ts';
import { SearchPages, WITHOUT_TEXT } from './search/search-pages.ts';
import { MAX_HITS, WorkBudget } from './work-budget.ts';

type FoundPlaces = Omit<FoundPage, keyof typeof WITHOUT_TEXT | 'isExhaustive'>;

interface IndexOptions {
  readonly maxWork: number;
  readonly loadBorders: LoadBorders | undefined;
}

export class IndexPages {
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

  constructor(index: Index, { maxWork, loadBorders }: IndexOptions) {
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

  reversePage(query: ReverseQuery): FoundPage {
    this.work.reset();
    const places = query.mode === 'containing' ? this.containingPlaces(query) : this.nearestPlaces(query);
    const isExhaustive = !this.work.isExceeded;
    return { ...WITHOUT_TEXT, ...places, from: query.at, isReverse: true, isExhaustive, work: this.work.used };
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
