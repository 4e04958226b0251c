/** Merges the results of a large index and a small overlay of corrections and additions. */
import { searchAtCoordinates } from './coordinate-search.ts';
import {
  type Dataset,
  type Engine,
  type FullRecord,
  type Guarantee,
  type Hit,
  hasMinConfidence,
  isConfidentEnough,
  type Ranking,
  type ReverseQuery,
  type SearchQuery,
  type SearchResult,
  withoutMinConfidence,
} from './engine.ts';
import { cutPage, MAX_HITS } from './page/cut-page.ts';
import { decidedBy } from './page/explanation.ts';
import { type FindLandmark, pageLabels } from './page/labels.ts';
import type { Landmarks } from './page/landmarks.ts';
import { competingScore, confidences, type ScoredPage } from './rank/confidence.ts';
import { matchCode } from './rank/match-kind.ts';

export class LayeredEngine implements Engine {
  readonly dataset: Dataset;
  private readonly base: Engine;
  private readonly overlay: Engine;
  private readonly replaced: ReadonlySet<string>;
  private readonly landmarks: Landmarks;

  /** `replaced`: ids of places that `overlay` replaces or removes. `base` must not find them. */
  constructor(
    base: Engine,
    overlay: Engine,
    { replaced, landmarks }: { replaced: readonly string[]; landmarks: Landmarks },
  ) {
    this.base = base;
    this.overlay = overlay;
    this.replaced = new Set(replaced);
    this.landmarks = landmarks;
    this.dataset = {
      version: `${base.dataset.version}+${overlay.dataset.version}`,
      places: base.dataset.places - replaced.length + overlay.dataset.places,
      attribution: [...new Set([...base.dataset.attribution, ...overlay.dataset.attribution])],
    };
  }

  search(query: SearchQuery): SearchResult {
    const atCoordinates = searchAtCoordinates(this, query);
    if (atCoordinates !== undefined) return atCoordinates;
    // the page is cut after merging, so that a larger page has all the hits of a smaller one
    const fullPageQuery = withoutMinConfidence({ ...query, limit: MAX_HITS });
    const overlayResult = this.overlay.search(fullPageQuery);
    // if the search of the overlay was cut short, the result must say so
    if (overlayResult.hits.length === 0 && overlayResult.isExhaustive) return this.base.search(query);
    return this.merge(this.base.search(fullPageQuery), overlayResult, query);
  }

  reverse(query: ReverseQuery): SearchResult {
    const base = this.base.reverse(query);
    if (query.mode !== 'containing') return this.merge(base, this.overlay.reverse(query), query);
    const { pointCountry } = base;
    return { ...this.addOverlayContaining(base, { ...query, country: pointCountry }), pointCountry };
  }

  private addOverlayContaining(base: SearchResult, query: ReverseQuery): SearchResult {
    const overlay = this.overlay.reverse(query);
    const isFirstInOverlay = fitOf(overlay) < fitOf(base);
    const { hits, cityInOtherIndex, containingFit } = isFirstInOverlay ? overlay : base;
    if (cityInOtherIndex === undefined) return this.merge(base, overlay, query, hits[0]);
    // the first hit is a suburban area, and the other index has the city that it is a part of
    const cityQuery = { ...query, city: { objectID: cityInOtherIndex, containingFit: containingFit! } };
    const withCity = (isFirstInOverlay ? this.base : this.overlay).reverse(cityQuery);
    const first = withCity.hits[0]?.objectID === cityInOtherIndex ? withCity.hits[0] : hits[0];
    return isFirstInOverlay ? this.merge(withCity, overlay, query, first) : this.merge(base, withCity, query, first);
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

  /** `first`: the hit that comes first whatever its score. */
  private merge(
    base: SearchResult,
    overlay: SearchResult,
    query: SearchQuery | ReverseQuery,
    first?: Hit,
  ): SearchResult {
    const findLandmark: FindLandmark = (record) => this.landmarks.nameNear(record, query.language);
    return mergeResults(base, overlay, query, { findLandmark, first });
  }
}

function mergeResults(
  base: SearchResult,
  overlay: SearchResult,
  query: SearchQuery | ReverseQuery,
  { findLandmark, first }: { findLandmark: FindLandmark; first: Hit | undefined },
): SearchResult {
  const rank = (hit: Hit) => (hit === first ? Number.POSITIVE_INFINITY : hit.score);
  const sorted = [...base.hits, ...overlay.hits].sort((a, b) => rank(b) - rank(a));
  const guaranteed = [bestOfKind(sorted, 'anywhere'), bestOfKind(sorted, 'nearby')];
  const confidenceByHit = mergedConfidences(sorted.slice(0, MAX_HITS), pageOfBestHit(base, overlay));
  const isFiltered = 'text' in query && hasMinConfidence(query);
  const likely = isFiltered ? sorted.filter((hit) => isConfidentEnough(confidenceByHit.get(hit) ?? 0, query)) : sorted;
  const hits = cutPage(likely, query.limit, (hit) => guaranteed.includes(hit));
  const bestConfidence = confidenceByHit.get(sorted[0]!) ?? 0;
  const labels = pageLabels(
    hits.map(({ record }) => record),
    findLandmark,
  );
  const best = hits[0];
  const isBestFromOverlay = best !== undefined && overlay.hits.includes(best);
  const degraded = best && (isBestFromOverlay ? overlay : base).degraded;
  const showsRegion = hits.some(({ matchKind }) => matchKind === 'regionAlone');
  const matchedRegion = showsRegion ? (base.matchedRegion ?? overlay.matchedRegion) : undefined;
  const isExhaustive = base.isExhaustive && overlay.isExhaustive;
  return {
    hits: hits.map((hit, i) => {
      const confidence = hit.confidence === undefined ? undefined : (confidenceByHit.get(hit) ?? 0);
      return forMergedPage(hit, { label: labels[i], next: hits[i + 1], confidence, bestConfidence });
    }),
    total: isFiltered ? likely.length : base.total + overlay.total,
    isTotalExact: isFiltered ? isExhaustive && likely.length < MAX_HITS : base.isTotalExact && overlay.isTotalExact,
    isExhaustive,
    work: (base.work ?? 0) + (overlay.work ?? 0),
    ...(degraded === undefined ? {} : { degraded }),
    ...(matchedRegion === undefined ? {} : { matchedRegion }),
  };
}

/** The page whose first hit is also the first hit of the merged page, with the matches of both. */
function pageOfBestHit({ scored: base }: SearchResult, { scored: overlay }: SearchResult): ScoredPage | undefined {
  if (base === undefined || overlay === undefined) return base ?? overlay;
  const best = base.scores[0]! >= overlay.scores[0]! ? base : overlay;
  return { ...best, matches: base.matches + overlay.matches };
}

/** The confidence of each hit of a merged page. Empty in reverse lookups and for an empty query. */
function mergedConfidences(hits: readonly Hit[], scored: ScoredPage | undefined): ReadonlyMap<Hit, number> {
  if (scored === undefined) return new Map();
  const scores = hits.map(({ score, matchKind }) => competingScore(score, matchKind === 'regionAlone', scored.kind));
  const values = confidences({ ...scored, scores });
  return new Map(hits.map((hit, rank) => [hit, values[rank]!]));
}

/** How well the first hit contains the point, the lower the better. Infinite without hits. */
function fitOf({ containingFit }: SearchResult): number {
  return containingFit ?? Number.POSITIVE_INFINITY;
}

function bestOfKind(hits: readonly Hit[], kind: Guarantee['kind']): Hit | undefined {
  let best: Hit | undefined;
  let bestScore = Number.NEGATIVE_INFINITY;
  for (const hit of hits) {
    if (hit.guarantee?.kind !== kind || hit.guarantee.score <= bestScore) continue;
    best = hit;
    bestScore = hit.guarantee.score;
  }
  return best;
}

interface MergedFields {
  /** Undefined if the label is plain. */
  readonly label: string | undefined;
  readonly next: Hit | undefined;
  readonly confidence: number | undefined;
  readonly bestConfidence: number;
}

/**
 * Copies a hit with the fields that depend on the other hits: label, confidence, match code and
 * `decidedBy`. A spread (`...hit`) would leave out the fields that are getters.
 */
function forMergedPage(hit: Hit, { label, next, confidence, bestConfidence }: MergedFields): Hit {
  const { objectID, record, score, distanceMeters, bearingDegrees, isInside, matchedName, highlight } = hit;
  const { matchKind } = hit;
  return {
    objectID,
    record,
    score,
    confidence,
    matchKind,
    matchCode: matchKind === undefined ? hit.matchCode : matchCode(matchKind, bestConfidence),
    label: label ?? record.name + record.regions.labelEnd,
    hasPlainLabel: label === undefined,
    distanceMeters,
    bearingDegrees,
    isInside,
    matchedName,
    highlight,
    ranking: hit.ranking && withDecidedBy(hit.ranking, next?.ranking),
  };
}

function withDecidedBy({ decidedBy: _, ...ranking }: Ranking, next: Ranking | undefined): Ranking {
  return next === undefined ? ranking : { ...ranking, decidedBy: decidedBy(ranking.criteria, next.criteria) };
}
