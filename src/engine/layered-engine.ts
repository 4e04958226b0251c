/**
 * Two engines as one: a large index, and a small overlay of corrections and additions. Both are
 * searched and their hits merged by score; the scores of both have the same scale.
 */
import type {
  Dataset,
  Engine,
  FullRecord,
  Guarantee,
  Hit,
  Ranking,
  ReverseQuery,
  SearchQuery,
  SearchResult,
} from './engine.ts';
import { cutPage, MAX_HITS } from './page/cut-page.ts';
import { decidedBy } from './page/explanation.ts';
import { formatLabel, labelLevels } from './page/labels.ts';

export class LayeredEngine implements Engine {
  readonly dataset: Dataset;
  private readonly base: Engine;
  private readonly over: Engine;
  private readonly replaced: ReadonlySet<string>;

  /** `base` must hide the places whose ids are `replaced`. */
  constructor(base: Engine, over: Engine, replaced: readonly string[]) {
    this.base = base;
    this.over = over;
    this.replaced = new Set(replaced);
    this.dataset = {
      version: `${base.dataset.version}+${over.dataset.version}`,
      places: base.dataset.places - replaced.length + over.dataset.places,
      attribution: [...new Set([...base.dataset.attribution, ...over.dataset.attribution])],
    };
  }

  search(query: SearchQuery): SearchResult {
    // cut after merging, so that a smaller page is the start of a larger one
    const whole = { ...query, limit: MAX_HITS };
    const over = this.over.search(whole);
    if (over.hits.length === 0 && over.isExhaustive) return this.base.search(query);
    return mergeResults(this.base.search(whole), over, query.limit);
  }

  reverse(query: ReverseQuery): SearchResult {
    return mergeResults(this.base.reverse(query), this.over.reverse(query), query.limit);
  }

  get(objectID: string, language?: string): FullRecord | undefined {
    const over = this.over.get(objectID, language);
    if (over !== undefined || this.replaced.has(objectID)) return over;
    const found = this.base.get(objectID, language);
    // a retired id may lead to a place that is itself replaced
    const successor = found?.supersededBy;
    if (successor === undefined || !this.replaced.has(successor)) return found;
    const replaced = this.over.get(successor, language);
    return replaced && { ...replaced, supersededBy: successor };
  }
}

function mergeResults(base: SearchResult, over: SearchResult, limit: number): SearchResult {
  const sorted = [...base.hits, ...over.hits].sort((a, b) => b.score - a.score);
  const guaranteed = [bestOfKind(sorted, 'anywhere'), bestOfKind(sorted, 'nearby')];
  const hits = cutPage(sorted, limit, (hit) => guaranteed.includes(hit));
  const levels = labelLevels(hits.map(({ record }) => record));
  const best = hits[0];
  const isFromOver = best !== undefined && over.hits.includes(best);
  const degraded = isFromOver ? over.degraded : base.degraded;
  return {
    hits: hits.map((hit, i) => withLabel(hit, levels[i]!, hits[i + 1])),
    total: base.total + over.total,
    isTotalExact: base.isTotalExact && over.isTotalExact,
    isExhaustive: base.isExhaustive && over.isExhaustive,
    work: (base.work ?? 0) + (over.work ?? 0),
    ...(degraded === undefined ? {} : { degraded }),
  };
}

function bestOfKind(hits: readonly Hit[], kind: Guarantee['kind']): Hit | undefined {
  let best: Hit | undefined;
  for (const hit of hits) {
    if (hit.guarantee?.kind === kind && !(hit.guarantee.score <= (best?.guarantee?.score ?? -Infinity))) best = hit;
  }
  return best;
}

function withLabel(hit: Hit, levels: number, next: Hit | undefined): Hit {
  const { objectID, record, score, distanceMeters, bearingDegrees, matchedName, highlight } = hit;
  return {
    objectID,
    record,
    score,
    label: formatLabel(record, levels),
    hasShortLabel: levels === 0,
    distanceMeters,
    bearingDegrees,
    matchedName,
    highlight,
    ranking: hit.ranking && withDecidedBy(hit.ranking, next?.ranking),
  };
}

function withDecidedBy({ decidedBy: _, ...ranking }: Ranking, next: Ranking | undefined): Ranking {
  return next === undefined ? ranking : { ...ranking, decidedBy: decidedBy(ranking, next) };
}
