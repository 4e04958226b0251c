/**
 * The engine over an opened index: text search, nearest places, lookup by id. Each thread has its
 * own instance, which reuses memory from query to query.
 */
import { findPlace, findSuccessor } from '../index-file/find-place.ts';
import type { Index } from '../index-file/layout.ts';
import { openIndex } from '../index-file/open-index.ts';
import { fold, foldExceptMarks, type Word } from '../text/fold.ts';
import { ContainingLookup } from './containing/containing-lookup.ts';
import type { LoadBorders } from './containing/point-countries.ts';
import { searchAtCoordinates } from './coordinate-search.ts';
import {
  type Engine,
  type FullRecord,
  type Guarantee,
  hasMinConfidence,
  isConfidentEnough,
  type ReverseQuery,
  type SearchQuery,
  type SearchResult,
} from './engine.ts';
import { LayeredEngine } from './layered-engine.ts';
import { SpatialIndex } from './nearest.ts';
import { cutPage, MAX_HITS } from './page/cut-page.ts';
import { Duplicates } from './page/duplicates.ts';
import { browseCriteria, browseRanking, createRanking, searchCriteria } from './page/explanation.ts';
import { HitPage, type PageContext } from './page/hit-page.ts';
import { baseLabel } from './page/labels.ts';
import { Landmarks } from './page/landmarks.ts';
import { candidateCount, MAX_CANDIDATES, selectSlots } from './page/page-selection.ts';
import { type FindName, PlaceRecords } from './page/place-records.ts';
import { countExactRegionWords, isRegionAlone, queryFlags } from './query/interpretations.ts';
import { Candidates } from './rank/candidates.ts';
import { competingScore, type ScoredPage } from './rank/confidence.ts';
import { matchKind, type TextMatch } from './rank/match-kind.ts';
import { PlaceFilter } from './rank/place-filter.ts';
import { MAX_IMPORTANCE, penaltyParts } from './rank/scores.ts';
import { browse } from './search/browse.ts';
import { type SearchOutcome, TextSearch } from './search/search.ts';
import { ShortPrefixCache } from './short-prefix-cache.ts';
import { MATCH } from './trie/match-ranges.ts';
import { MAX_WORK, WorkBudget } from './work-budget.ts';

const PLAIN_ASCII = /^[A-Za-z0-9, ]*$/;
const IN_CAPITALS = /^[A-Z ]+$/;
const NO_HITS: SearchResult = { hits: [], total: 0, isTotalExact: true, isExhaustive: true };
/** Share of the work budget (0..1) for the overlay, which is small. */
const OVERLAY_SHARE = 0.1;

interface FoldedQuery {
  readonly words: readonly Word[];
  readonly isPlain: boolean;
  readonly isInCapitals: boolean;
}

interface Selection {
  readonly outcome: SearchOutcome;
  /** Slots in `Candidates.top` that a page of two or more hits must show: see `Guarantee`. */
  readonly guaranteed: readonly number[];
  /** Slots in `Candidates.top` for a page of MAX_HITS, from which smaller pages are cut. */
  readonly selectedSlots: readonly number[];
}

export interface EngineOptions {
  /** Bounds the work of a search of index and overlay together. */
  readonly maxWork?: number;
  /** Needed for reverse lookups in mode `containing` to respect borders. */
  readonly loadBorders?: LoadBorders | undefined;
}

/** Opens an index and an optional overlay. */
export function openEngine(
  bytes: SharedArrayBuffer | ArrayBuffer,
  overlay?: SharedArrayBuffer | ArrayBuffer | undefined,
  { maxWork = MAX_WORK, loadBorders }: EngineOptions = {},
): Engine {
  if (overlay === undefined) return new IndexEngine(openIndex(bytes), [], { maxWork, loadBorders });
  const overlayIndex = openIndex(overlay);
  const replaced = overlayIndex.metadata.replaces ?? [];
  const overlayWork = maxWork * OVERLAY_SHARE;
  const base = new IndexEngine(openIndex(bytes), replaced, { maxWork: maxWork - overlayWork, loadBorders });
  const overlayEngine = new IndexEngine(overlayIndex, [], { maxWork: overlayWork, loadBorders });
  shareCityNames(base.records, overlayEngine.records, new Set(replaced));
  return new LayeredEngine(base, overlayEngine, { replaced, landmarks: base.landmarks });
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

class IndexEngine implements Engine {
  readonly dataset;
  private readonly index: Index;
  readonly records: PlaceRecords;
  readonly landmarks: Landmarks;
  private readonly spatial: SpatialIndex;
  private readonly filter: PlaceFilter;
  private readonly candidates: Candidates;
  private readonly textSearch: TextSearch;
  private readonly duplicates: Duplicates;
  private readonly shortPrefixes = new ShortPrefixCache();
  private readonly createContaining: () => ContainingLookup;
  /** Created when first needed, because its lists take some milliseconds. */
  private containing: ContainingLookup | undefined;
  private readonly work: WorkBudget;
  private readonly neighbors = { ids: new Uint32Array(MAX_HITS), meters: new Float64Array(MAX_HITS) };

  constructor(index: Index, hiddenIds: readonly string[], { maxWork, loadBorders }: EngineOptions) {
    this.index = index;
    this.work = new WorkBudget(maxWork);
    const { version, places, attribution } = index.metadata;
    this.dataset = { version, places, attribution };
    this.records = new PlaceRecords(index);
    const isHidden = hiddenPlaces(index, hiddenIds);
    this.filter = new PlaceFilter(index, isHidden);
    this.spatial = new SpatialIndex({
      ids: index.treeIds,
      coords: index.treeCoords,
      latE7: index.placeLatE7,
      lngE7: index.placeLngE7,
    });
    this.candidates = new Candidates(index, MAX_CANDIDATES, isHidden);
    const { records, spatial, filter, candidates, work } = this;
    this.landmarks = new Landmarks(index, { records, spatial, isHidden });
    this.textSearch = new TextSearch({ index, spatial, filter, candidates, work });
    this.duplicates = new Duplicates(index, records, MAX_CANDIDATES);
    const sources = { records, spatial, filter, work, isHidden, loadBorders };
    this.createContaining = () => new ContainingLookup(index, sources);
  }

  search(asSent: SearchQuery): SearchResult {
    const query = asSent.text.includes('%') ? { ...asSent, text: percentDecoded(asSent.text) } : asSent;
    const atCoordinates = searchAtCoordinates(this, query);
    if (atCoordinates !== undefined) return atCoordinates;
    const { shortPrefixes } = this;
    if (!shortPrefixes.isCacheable(query)) return this.searchUncached(query);
    const cached = shortPrefixes.get(query);
    if (cached !== undefined) return cached.copy(query);
    const result = this.searchUncached({ ...query, limit: MAX_HITS });
    if (!(result instanceof HitPage)) return result; // no hits
    shortPrefixes.set(query, result);
    return result.copy(query);
  }

  private searchUncached(query: SearchQuery): SearchResult {
    this.work.reset();
    this.filter.set(query);
    const { text } = query;
    if (text.trim() === '') return hasMinConfidence(query) ? NO_HITS : this.browsePage(query);
    const words = this.textSearch.readWords(text);
    if (words.length === 0) return NO_HITS; // punctuation only
    const folded = { words, isPlain: isPlainText(text), isInCapitals: IN_CAPITALS.test(text) };
    const { top } = this.candidates;
    let selection = this.select(query, folded, candidateCount(query));
    // duplicates may leave room on the page, which more candidates may fill
    const canBeFilled = selection.selectedSlots.length < MAX_HITS && selection.outcome.total > top.count;
    if (canBeFilled && !this.work.isExceeded) selection = this.select(query, folded, MAX_CANDIDATES);
    const isExhaustive = !this.work.isExceeded;
    if (top.count === 0) return { hits: [], total: 0, isTotalExact: isExhaustive, isExhaustive, work: this.work.used };
    return this.createPage(query, folded, selection);
  }

  private createPage(query: SearchQuery, { words, isPlain }: FoldedQuery, selection: Selection): HitPage {
    const { index, records, landmarks, candidates } = this;
    const { top } = candidates;
    const { outcome, guaranteed, selectedSlots } = selection;
    const { text, language, around: from, limit } = query;
    const scored = this.scoredPage(selection, text, words.length);
    const page = new HitPage({ index, records, landmarks, language, from, text, words, scored });
    const isFiltered = hasMinConfidence(query);
    const isLikely = (_: number, rank: number) => isConfidentEnough(page.confidences[rank]!, query);
    const likelySlots = isFiltered ? selectedSlots.filter(isLikely) : selectedSlots;
    const slots = cutPage(likelySlots, limit, (slot) => guaranteed.includes(slot));
    for (const slot of slots) {
      const place = top.place[slot]!;
      const { match, typos, flags, interpretation, isWordByWord } = this.textMatchOf(slot, outcome);
      const wordFits = isWordByWord ? this.textSearch.wordFits(place, words) : undefined;
      const hit = page.add({
        place,
        score: top.score[slot]!,
        match: { position: top.position[slot]!, match, typos, flags, interpretation, isWordByWord, wordFits },
        fullPageRank: selectedSlots.indexOf(slot),
      });
      if (guaranteed.includes(slot)) hit.guarantee = this.guaranteeOf(slot, guaranteed);
    }
    if (query.explain) this.addRankings(page, slots, { outcome, isPlain });
    page.isExhaustive = !this.work.isExceeded;
    page.work = this.work.used;
    if (isFiltered) {
      page.total = likelySlots.length;
      page.isTotalExact = page.isExhaustive && likelySlots.length < MAX_HITS;
    } else {
      this.setTotal(page, selection);
    }
    return page;
  }

  private setTotal(page: HitPage, { selectedSlots, outcome }: Selection): void {
    // fewer than MAX_HITS are all matches except duplicates, so duplicates do not count
    const duplicateCount = selectedSlots.length < MAX_HITS ? this.duplicates.rejectedCount : 0;
    const total = outcome.total - duplicateCount;
    // `total` leaves out places that match only with typos, so there can be more hits
    page.total = Math.max(total, selectedSlots.length);
    page.isTotalExact = page.isExhaustive && outcome.isTotalExact && selectedSlots.length <= total;
  }

  private select(query: SearchQuery, { words, ...folded }: FoldedQuery, capacity: number): Selection {
    const { index, duplicates, candidates } = this;
    const { around, radiusMeters, allowsTypos = true } = query;
    candidates.reset(around, capacity);
    const outcome = this.textSearch.run(words, { ...folded, around, radiusMeters, allowsTypos });
    const guaranteed = radiusMeters === undefined ? outcome.guaranteed : []; // see `Guarantee`
    const selectedSlots = selectSlots(query, guaranteed, { top: candidates.top, index, duplicates });
    return { outcome, guaranteed, selectedSlots };
  }

  private textMatchOf(slot: number, { interpretations, wordByWordInterpretation }: SearchOutcome): TextMatch {
    const { top } = this.candidates;
    const interpretation = top.interpretation[slot]!;
    return {
      match: top.match[slot]!,
      typos: top.typos[slot]!,
      flags: top.flags[slot]!,
      interpretation: interpretations[interpretation]!,
      isWordByWord: interpretation === wordByWordInterpretation,
    };
  }

  /** There must be at least one selected slot. */
  private scoredPage({ selectedSlots, outcome }: Selection, text: string, wordCount: number): ScoredPage {
    const { candidates } = this;
    const { score, interpretation } = candidates.top;
    const best = selectedSlots[0]!;
    const textMatch = this.textMatchOf(best, outcome);
    const kind = matchKind(textMatch, wordCount);
    const isPlaceOfRegion = (slot: number) => isRegionAlone(outcome.interpretations[interpretation[slot]!]!);
    return {
      scores: selectedSlots.map((slot) => competingScore(score[slot]!, isPlaceOfRegion(slot), kind)),
      bestScore: score[best]! - candidates.bonusOf(best) + incompletePenalty(textMatch),
      kind,
      matches: outcome.total,
      text,
    };
  }

  /** `guaranteed`: the slot of the best match anywhere, then that of the best match nearby. */
  private guaranteeOf(slot: number, guaranteed: readonly number[]): Guarantee {
    const { top } = this.candidates;
    const score = top.score[slot]!;
    if (slot !== guaranteed[0]) return { kind: 'nearby', score };
    return { kind: 'anywhere', score: score - this.candidates.bonusOf(slot) };
  }

  reverse(query: ReverseQuery): SearchResult {
    this.work.reset();
    const page = this.pageWithoutText({ language: query.language, from: query.at, isReverse: true });
    if (query.mode === 'containing') this.addContaining(page, query);
    else this.addNearest(page, query);
    page.isExhaustive = !this.work.isExceeded;
    page.work = this.work.used;
    return page;
  }

  private addNearest(page: HitPage, { at, limit, types }: ReverseQuery): void {
    const { neighbors, filter, work } = this;
    filter.set({ types });
    const accept = filter.acceptsAll ? undefined : (place: number) => filter.accepts(place);
    const count = this.spatial.nearest(at.lat, at.lng, limit, neighbors, { accept, work });
    for (let i = 0; i < count; i++) page.add({ place: neighbors.ids[i]!, score: -neighbors.meters[i]! });
    page.total = filter.acceptsAll ? this.index.metadata.places : filter.count();
  }

  private addContaining(page: HitPage, query: ReverseQuery): void {
    this.containing ??= this.createContaining();
    const { country, places, total, isTotalExact, fit, cityInOtherIndex } = this.containing.find(query);
    for (const { place, meters, isInside } of places) page.add({ place, score: -meters }).isInside = isInside;
    page.pointCountry = country;
    page.containingFit = fit;
    page.cityInOtherIndex = cityInOtherIndex;
    page.total = total;
    page.isTotalExact = isTotalExact;
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

  private browsePage({ limit, language, around, radiusMeters, explain }: SearchQuery): SearchResult {
    const { index, filter, spatial, work } = this;
    const { places, total, isTotalExact, isExhaustive } = browse(
      { index, filter, spatial, work },
      { limit, around, radiusMeters },
    );
    const page = this.pageWithoutText({ language, from: around });
    const importanceOf = (place: number) => index.placeImportance[place]! / MAX_IMPORTANCE;
    for (const { place, nearness } of places) page.add({ place, score: importanceOf(place) + nearness });
    if (explain) {
      const criteria = places.map(({ place, nearness }) => browseCriteria(importanceOf(place), nearness));
      page.hits.forEach((hit, i) => {
        const inputs = { filters: filter.queryFilterCount, geoDistanceMeters: hit.distanceMeters ?? 0 };
        hit.ranking = browseRanking(criteria[i]!, criteria[i + 1], inputs);
      });
    }
    page.total = total;
    page.isTotalExact = isTotalExact;
    page.isExhaustive = isExhaustive;
    page.work = work.used;
    return page;
  }

  private pageWithoutText(context: Pick<PageContext, 'language' | 'from' | 'isReverse'>): HitPage {
    const { index, records, landmarks } = this;
    return new HitPage({ index, records, landmarks, text: '', words: [], ...context });
  }

  /** `slots` are the slots in `top` of the page's hits. */
  private addRankings(
    page: HitPage,
    slots: readonly number[],
    { outcome, isPlain }: { outcome: SearchOutcome; isPlain: boolean },
  ): void {
    const { index, candidates, filter } = this;
    const { top } = candidates;
    const criteria = slots.map((slot) => {
      const interpretation = outcome.interpretations[top.interpretation[slot]!]!;
      return searchCriteria(index, top, slot, {
        nearness: candidates.bonusOf(slot),
        queryFlags: queryFlags(interpretation, isPlain),
        interpretation,
      });
    });
    page.hits.forEach((hit, i) => {
      const slot = slots[i]!;
      const interpretationIndex = top.interpretation[slot]!;
      hit.ranking = createRanking({
        top,
        slot,
        stage: outcome.stages[interpretationIndex]!,
        criteria: criteria[i]!,
        next: criteria[i + 1],
        words: hit.matchedWordCount,
        filters: filter.queryFilterCount,
        wordPositions: hit.wordPositions(),
        isContiguous: interpretationIndex !== outcome.wordByWordInterpretation,
        exactRegionWords: countExactRegionWords(outcome.interpretations[interpretationIndex]!),
        geoDistanceMeters: hit.distanceMeters ?? 0,
      });
    });
  }
}

/** By place: 1 if `ids` has its object id. Undefined if `ids` is empty. */
function hiddenPlaces(index: Index, ids: readonly string[]): Uint8Array | undefined {
  if (ids.length === 0) return undefined;
  const isHidden = new Uint8Array(index.metadata.places);
  for (const id of ids) {
    const place = findPlace(index, id);
    if (place !== undefined) isHidden[place] = 1;
  }
  return isHidden;
}

/** The text of a query that was encoded twice: "S%C3%A3o%20Paulo". */
function percentDecoded(text: string): string {
  if (!/%[0-9a-f]{2}/i.test(text)) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // no UTF-8
  }
}

/** The penalty for the part of the name that is not typed. */
function incompletePenalty({ match, typos, flags, interpretation }: TextMatch): number {
  if (match === MATCH.whole) return 0;
  const isPlain = true; // has no effect on this part of the penalty
  return penaltyParts(match, typos, { flags, queryFlags: queryFlags(interpretation, isPlain) }).incomplete;
}

/** Whether the text has no accents and no punctuation except commas. */
function isPlainText(text: string): boolean {
  if (PLAIN_ASCII.test(text)) return true;
  const names = text.replace(/\S*\d\S*/g, ' '); // the hyphen of a postcode is no mark of a name
  const withoutCommas = foldExceptMarks(names).replace(/[\s,]+/gu, ' ');
  return fold(names) === withoutCommas.trim(); // equal if there are no marks left for `fold` to remove
}
