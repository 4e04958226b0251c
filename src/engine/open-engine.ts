/**
 * Opens an index and an optional overlay of corrections and additions as an engine. Pages of index
 * and overlay are merged before their hits are created, so hits that the merged page does not show
 * cost nothing.
 */

import { openIndex } from '../index-file/open-index.ts';
import { readObjectId } from '../index-file/packed-record.ts';
import { parseCoordinates } from '../place/coordinates/coordinate-text.ts';
import type { LatLng } from '../place/sphere.ts';
import type { LoadBorders } from './containing/point-countries.ts';
import {
  type Dataset,
  type Engine,
  type FullRecord,
  hasMinConfidence,
  isConfidentEnough,
  type Ranking,
  type ReverseQuery,
  type SearchQuery,
  type SearchResult,
  withoutMinConfidence,
} from './engine.ts';
import { IndexPages } from './index-pages.ts';
import { decidedBy } from './page/explanation.ts';
import {
  createResult,
  createUnlabelledResult,
  type FoundPage,
  type FoundPlace,
  type Guarantee,
  matchedRegion,
  withLabels,
} from './page/hit-page.ts';
import { cutPage } from './page/page-selection.ts';
import type { FindName, PlaceRecords } from './page/place-records.ts';
import { competingScore, confidences, type ScoredPage } from './rank/confidence.ts';
import { MAX_HITS, MAX_WORK } from './work-budget.ts';

/** Share of the work budget (0..1) for the overlay, which is small. */
const OVERLAY_SHARE = 0.1;

interface EngineOptions {
  /** Bounds the work of a search of index and overlay together. */
  readonly maxWork?: number;
  /** Needed for reverse lookups in mode `containing` to respect borders. */
  readonly loadBorders?: LoadBorders | undefined;
}

export function openEngine(
  bytes: SharedArrayBuffer | ArrayBuffer,
  overlay?: SharedArrayBuffer | ArrayBuffer | undefined,
  { maxWork = MAX_WORK, loadBorders }: EngineOptions = {},
): Engine {
  if (overlay === undefined) {
    return new PlainEngine(new IndexPages(openIndex(bytes), { hiddenIds: [], maxWork, loadBorders }));
  }
  const overlayIndex = openIndex(overlay);
  const replaced = overlayIndex.metadata.replaces ?? [];
  const overlayWork = maxWork * OVERLAY_SHARE;
  const baseOptions = { hiddenIds: replaced, maxWork: maxWork - overlayWork, loadBorders };
  const base = new IndexPages(openIndex(bytes), baseOptions);
  const overlayPages = new IndexPages(overlayIndex, { hiddenIds: [], maxWork: overlayWork, loadBorders });
  shareCityNames(base.records, overlayPages.records, new Set(replaced));
  return new LayeredEngine(base, overlayPages, replaced);
}

/** Lets suburban areas of either index find their cities in both. */
function shareCityNames(base: PlaceRecords, overlay: PlaceRecords, replaced: ReadonlySet<string>): void {
  const findName: FindName = (objectID, language) => {
    const inOverlay = overlay.nameOf(objectID, language);
    if (inOverlay !== undefined || replaced.has(objectID)) return inOverlay;
    return base.nameOf(objectID, language);
  };
  base.findName = findName;
  overlay.findName = findName;
}

/** An index without an overlay. */
class PlainEngine implements Engine {
  readonly dataset: Dataset;
  protected readonly base: IndexPages;

  constructor(base: IndexPages, dataset = base.dataset) {
    this.base = base;
    this.dataset = dataset;
  }

  search(asSent: SearchQuery): SearchResult {
    const query = withoutPercents(asSent);
    return this.searchAtCoordinates(query) ?? this.searchText(query);
  }

  /** Answers a search for coordinates, such as "48.8584, 2.2945". Undefined for other texts. */
  private searchAtCoordinates(query: SearchQuery): SearchResult | undefined {
    const { text, limit, types, language, countries, around, radiusMeters, box } = query;
    const filters = { countries, around, radiusMeters, box };
    const resultAt = (typedPoint: LatLng): SearchResult => {
      const result = this.reverse({ at: typedPoint, limit, mode: 'containing', types, language, filters });
      const { hits, total, isTotalExact, isExhaustive, work, pointCountry } = result;
      return { hits, total, isTotalExact, isExhaustive, work, pointCountry, typedPoint };
    };
    const results = parseCoordinates(text).map(resultAt);
    return results.find(isInPlace) ?? results.find(isInCountry) ?? results[0];
  }

  protected searchText(query: SearchQuery): SearchResult {
    return createResult(this.base, this.base.searches.page(query), query);
  }

  reverse(query: ReverseQuery): SearchResult {
    return createResult(this.base, this.base.reversePage(query), query);
  }

  get(objectID: string, language?: string): FullRecord | undefined {
    return this.base.get(objectID, language);
  }
}

/** An index and an overlay. */
class LayeredEngine extends PlainEngine {
  private readonly overlay: IndexPages;
  private readonly replaced: ReadonlySet<string>;

  /** `replaced`: ids of places that `overlay` replaces or removes. `base` must not find them. */
  constructor(base: IndexPages, overlay: IndexPages, replaced: readonly string[]) {
    super(base, {
      version: `${base.dataset.version}+${overlay.dataset.version}`,
      places: base.dataset.places - replaced.length + overlay.dataset.places,
      attribution: [...new Set([...base.dataset.attribution, ...overlay.dataset.attribution])],
    });
    this.overlay = overlay;
    this.replaced = new Set(replaced);
  }

  protected override searchText(query: SearchQuery): SearchResult {
    // the page is cut after merging, so that a larger page has all the hits of a smaller one
    const fullPageQuery = withoutMinConfidence({ ...query, limit: MAX_HITS });
    const overlayPage = this.overlay.searches.page(fullPageQuery);
    // if the search of the overlay was cut short, the result must say so
    if (overlayPage.found.length === 0 && overlayPage.isExhaustive) return super.searchText(query);
    return this.merge(this.base.searches.page(fullPageQuery), overlayPage, query);
  }

  override reverse(query: ReverseQuery): SearchResult {
    const base = this.base.reversePage(query);
    if (query.mode !== 'containing') return this.merge(base, this.overlay.reversePage(query), query);
    const { pointCountry } = base;
    return { ...this.addOverlayContaining(base, { ...query, country: pointCountry }), pointCountry };
  }

  private addOverlayContaining(base: FoundPage, query: ReverseQuery): SearchResult {
    const overlay = this.overlay.reversePage(query);
    const isFirstInOverlay = fitOf(overlay) < fitOf(base);
    const { found, cityInOtherIndex, containingFit } = isFirstInOverlay ? overlay : base;
    if (cityInOtherIndex === undefined) return this.merge(base, overlay, query, found[0]);
    // the first place is a suburban area, and the other index has the city that it is a part of
    const other = isFirstInOverlay ? this.base : this.overlay;
    const city = { objectID: cityInOtherIndex, containingFit: containingFit! };
    const withCity = other.reversePage({ ...query, city });
    const [first] = withCity.found;
    const isCity = first !== undefined && readObjectId(other.index, first.place) === cityInOtherIndex;
    const pages = isFirstInOverlay ? ([withCity, overlay] as const) : ([base, withCity] as const);
    return this.merge(...pages, query, isCity ? first : found[0]);
  }

  override get(objectID: string, language?: string): FullRecord | undefined {
    const inOverlay = this.overlay.get(objectID, language);
    if (inOverlay !== undefined) return inOverlay;
    if (this.replaced.has(objectID)) return undefined; // the overlay removes the place
    const found = this.base.get(objectID, language);
    // `base` finds the successor of a retired id, and the overlay may replace that successor
    const successor = found?.supersededBy;
    if (successor === undefined || !this.replaced.has(successor)) return found;
    const replacement = this.overlay.get(successor, language);
    return replacement && { ...replacement, supersededBy: successor };
  }

  /** `first`: the place that comes first whatever its score. */
  private merge(
    base: FoundPage,
    overlay: FoundPage,
    query: SearchQuery | ReverseQuery,
    first?: FoundPlace,
  ): SearchResult {
    const { limit, language } = query;
    const isFiltered = 'text' in query && hasMinConfidence(query);
    const rank = (place: FoundPlace) => (place === first ? Number.POSITIVE_INFINITY : place.score);
    const sorted = [...base.found, ...overlay.found].sort((a, b) => rank(b) - rank(a));
    const guaranteed = [bestOfKind(sorted, 'anywhere'), bestOfKind(sorted, 'nearby')];
    const confidenceByPlace = mergedConfidences(sorted.slice(0, MAX_HITS), pageOfBestHit(base, overlay));
    const confidenceOf = (place: FoundPlace) => confidenceByPlace.get(place) ?? 0;
    const likely = isFiltered ? sorted.filter((place) => isConfidentEnough(confidenceOf(place), query)) : sorted;
    const cut = cutPage(likely, limit, (place) => guaranteed.includes(place));
    const bestConfidence = sorted.length === 0 ? 0 : confidenceOf(sorted[0]!);
    const shown = cut.map((place, i) => withMergedRank(place, confidenceOf(place), cut[i + 1]));
    const isInOverlay = cut.map((place) => overlay.found.includes(place));
    const baseFound = shown.filter((_, i) => !isInOverlay[i]);
    const overlayFound = shown.filter((_, i) => isInOverlay[i]);
    const fromBase = createUnlabelledResult(this.base, { ...base, found: baseFound, bestConfidence }, language);
    const overlayPart = { ...overlay, found: overlayFound, bestConfidence };
    const fromOverlay = createUnlabelledResult(this.overlay, overlayPart, language);
    const [baseHits, overlayHits] = [fromBase.hits.values(), fromOverlay.hits.values()];
    const hits = isInOverlay.map((isOverlay) => (isOverlay ? overlayHits : baseHits).next().value!);
    const isExhaustive = base.isExhaustive && overlay.isExhaustive;
    return {
      hits: withLabels(hits, (record) => this.base.landmarks.nameNear(record, language)),
      total: isFiltered ? likely.length : base.total + overlay.total,
      isTotalExact: isFiltered ? isExhaustive && likely.length < MAX_HITS : base.isTotalExact && overlay.isTotalExact,
      isExhaustive,
      work: (base.work ?? 0) + (overlay.work ?? 0),
      degraded: (isInOverlay[0] ? fromOverlay : fromBase).degraded,
      matchedRegion: shown.some(isPlaceOfRegion)
        ? (matchedRegion(this.base.records, base.found, language) ??
          matchedRegion(this.overlay.records, overlay.found, language))
        : undefined,
    };
  }
}

/** The page whose first hit is also the first hit of the merged page, with the matches of both. */
function pageOfBestHit({ scored: base }: FoundPage, { scored: overlay }: FoundPage): ScoredPage | undefined {
  if (base === undefined || overlay === undefined) return base ?? overlay;
  const best = base.scores[0]! >= overlay.scores[0]! ? base : overlay;
  return { ...best, matches: base.matches + overlay.matches };
}

/** The confidence of each place of a merged page. Empty in reverse lookups and for an empty query. */
function mergedConfidences(
  places: readonly FoundPlace[],
  scored: ScoredPage | undefined,
): ReadonlyMap<FoundPlace, number> {
  if (scored === undefined) return new Map();
  const scores = places.map((place) => competingScore(place.score, isPlaceOfRegion(place), scored.kind));
  const values = confidences({ ...scored, scores });
  return new Map(places.map((place, rank) => [place, values[rank]!]));
}

function isPlaceOfRegion({ match }: FoundPlace): boolean {
  return match?.kind === 'regionAlone';
}

/** How well the first place contains the point, the lower the better. Infinite without places. */
function fitOf({ containingFit }: FoundPage): number {
  return containingFit ?? Number.POSITIVE_INFINITY;
}

function bestOfKind(places: readonly FoundPlace[], kind: Guarantee['kind']): FoundPlace | undefined {
  let best: FoundPlace | undefined;
  let bestScore = Number.NEGATIVE_INFINITY;
  for (const place of places) {
    if (place.guarantee?.kind !== kind || place.guarantee.score <= bestScore) continue;
    best = place;
    bestScore = place.guarantee.score;
  }
  return best;
}

/** Sets what depends on the other places of the page. */
function withMergedRank(place: FoundPlace, confidence: number, next: FoundPlace | undefined): FoundPlace {
  const { match, ranking } = place;
  return {
    ...place,
    ...(match && { match: { ...match, confidence } }),
    ranking: ranking && withDecidedBy(ranking, next?.ranking),
  };
}

function withDecidedBy({ decidedBy: _, ...ranking }: Ranking, next: Ranking | undefined): Ranking {
  return next === undefined ? ranking : { ...ranking, decidedBy: decidedBy(ranking.criteria, next.criteria) };
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
