/**
 * Merges what a large index and a small overlay of corrections and additions find. Pages are merged
 * before their hits are created, so hits that the merged page does not show cost nothing.
 */
import { readObjectId } from '../index-file/packed-record.ts';
import { searchAtCoordinates, withoutPercents } from './coordinate-search.ts';
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
import { decidedBy } from './page/explanation.ts';
import {
  createResult,
  createUnlabelledResult,
  type FoundPage,
  type FoundPlace,
  type Guarantee,
  matchedRegion,
  type PageSources,
  withLabels,
} from './page/hit-page.ts';
import { cutPage } from './page/page-selection.ts';
import { competingScore, confidences, type ScoredPage } from './rank/confidence.ts';
import { MAX_HITS } from './work-budget.ts';

/** An engine whose pages can be merged before their hits are created. */
interface PageEngine extends PageSources, Pick<Engine, 'dataset' | 'get'> {
  searchPage(query: SearchQuery): FoundPage;
  reversePage(query: ReverseQuery): FoundPage;
}

export class LayeredEngine implements Engine {
  readonly dataset: Dataset;
  private readonly base: PageEngine;
  private readonly overlay: PageEngine;
  private readonly replaced: ReadonlySet<string>;

  /** `replaced`: ids of places that `overlay` replaces or removes. `base` must not find them. */
  constructor(base: PageEngine, overlay: PageEngine, replaced: readonly string[]) {
    this.base = base;
    this.overlay = overlay;
    this.replaced = new Set(replaced);
    this.dataset = {
      version: `${base.dataset.version}+${overlay.dataset.version}`,
      places: base.dataset.places - replaced.length + overlay.dataset.places,
      attribution: [...new Set([...base.dataset.attribution, ...overlay.dataset.attribution])],
    };
  }

  search(asSent: SearchQuery): SearchResult {
    const { base, overlay } = this;
    const query = withoutPercents(asSent);
    const atCoordinates = searchAtCoordinates(this, query);
    if (atCoordinates !== undefined) return atCoordinates;
    // the page is cut after merging, so that a larger page has all the hits of a smaller one
    const fullPageQuery = withoutMinConfidence({ ...query, limit: MAX_HITS });
    const overlayPage = overlay.searchPage(fullPageQuery);
    // if the search of the overlay was cut short, the result must say so
    if (overlayPage.found.length > 0 || !overlayPage.isExhaustive) {
      return this.merge(base.searchPage(fullPageQuery), overlayPage, query);
    }
    return createResult(base, base.searchPage(query), query);
  }

  reverse(query: ReverseQuery): SearchResult {
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

  get(objectID: string, language?: string): FullRecord | undefined {
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
