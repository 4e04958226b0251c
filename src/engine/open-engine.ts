/**
 * The engine over an opened index: text search, nearest places, lookup by id. Each thread has its
 * own instance, which reuses memory from query to query.
 */
import { findPlace, findSuccessor } from '../index-file/find-place.ts';
import type { Index } from '../index-file/layout.ts';
import { openIndex } from '../index-file/open-index.ts';
import { distanceMeters, type LatLng } from '../place/sphere.ts';
import { fold, foldExceptMarks, type Word } from '../text/fold.ts';
import { ContainingLookup } from './containing/containing-lookup.ts';
import type { LoadBorders } from './containing/point-countries.ts';
import { searchAtCoordinates, withoutPercents } from './coordinate-search.ts';
import {
  type Engine,
  type FullRecord,
  hasMinConfidence,
  isConfidentEnough,
  type Ranking,
  type ReverseQuery,
  type SearchQuery,
  type SearchResult,
} from './engine.ts';
import { LayeredEngine } from './layered-engine.ts';
import { SpatialIndex } from './nearest.ts';
import { Duplicates } from './page/duplicates.ts';
import { browseCriteria, browseRanking, createRanking, searchCriteria } from './page/explanation.ts';
import {
  countMatchedWords,
  createResult,
  type FoundMatch,
  type FoundPage,
  type FoundPlace,
  type Guarantee,
  matchedWordPositions,
} from './page/hit-page.ts';
import { baseLabel } from './page/labels.ts';
import { Landmarks } from './page/landmarks.ts';
import { candidateCount, cutPage, MAX_CANDIDATES, selectSlots } from './page/page-selection.ts';
import { type FindName, PlaceRecords } from './page/place-records.ts';
import { countExactRegionWords, isRegionAlone, queryFlags } from './query/interpretations.ts';
import { Candidates } from './rank/candidates.ts';
import { competingScore, confidences, type ScoredPage } from './rank/confidence.ts';
import { matchKind, type TextMatch } from './rank/match-kind.ts';
import { PlaceFilter } from './rank/place-filter.ts';
import { MAX_IMPORTANCE, penaltyParts } from './rank/scores.ts';
import { browse } from './search/browse.ts';
import { type SearchOutcome, TextSearch } from './search/search.ts';
import { ShortPrefixCache } from './short-prefix-cache.ts';
import { MATCH } from './trie/match-ranges.ts';
import { MAX_HITS, MAX_WORK, WorkBudget } from './work-budget.ts';

const PLAIN_ASCII = /^[A-Za-z0-9, ]*$/;
const IN_CAPITALS = /^[A-Z ]+$/;
const WITHOUT_TEXT = { text: '', words: [], bestConfidence: 0 } as const;
const NOTHING_FOUND: FoundPage = { ...WITHOUT_TEXT, found: [], total: 0, isTotalExact: true, isExhaustive: true };
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

type FoundPlaces = Omit<FoundPage, keyof typeof WITHOUT_TEXT | 'isExhaustive'>;

interface RankingContext {
  readonly outcome: SearchOutcome;
  readonly isPlain: boolean;
  readonly words: readonly Word[];
  readonly from: LatLng | undefined;
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
  return new LayeredEngine(base, overlayEngine, replaced);
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
  readonly index: Index;
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
    const query = withoutPercents(asSent);
    return searchAtCoordinates(this, query) ?? createResult(this, this.searchPage(query), query);
  }

  searchPage(query: SearchQuery): FoundPage {
    const { shortPrefixes } = this;
    if (!shortPrefixes.isCacheable(query)) return this.find(query);
    let page = shortPrefixes.get(query);
    if (page === undefined) {
      page = this.find({ ...query, limit: MAX_HITS });
      if (page.found.length > 0) shortPrefixes.set(query, page);
    }
    return page;
  }

  private find(query: SearchQuery): FoundPage {
    this.work.reset();
    this.filter.set(query);
    const { text } = query;
    if (text.trim() === '') return hasMinConfidence(query) ? NOTHING_FOUND : this.browsePage(query);
    const words = this.textSearch.readWords(text);
    if (words.length === 0) return NOTHING_FOUND; // punctuation only
    const folded = { words, isPlain: isPlainText(text), isInCapitals: IN_CAPITALS.test(text) };
    const { top } = this.candidates;
    let selection = this.select(query, folded, candidateCount(query));
    // duplicates may leave room on the page, which more candidates may fill
    const canBeFilled = selection.selectedSlots.length < MAX_HITS && selection.outcome.total > top.count;
    if (canBeFilled && !this.work.isExceeded) selection = this.select(query, folded, MAX_CANDIDATES);
    const isExhaustive = !this.work.isExceeded;
    if (top.count > 0) return this.textPage(query, folded, selection);
    return { ...NOTHING_FOUND, isTotalExact: isExhaustive, isExhaustive, work: this.work.used };
  }

  private textPage(query: SearchQuery, { words, isPlain }: FoldedQuery, selection: Selection): FoundPage {
    const { outcome, guaranteed, selectedSlots } = selection;
    const { text, around: from, limit, explain = false } = query;
    const scored = this.scoredPage(selection, text, words.length);
    const confidenceByRank = confidences(scored);
    const isLikely = (_: number, rank: number) => isConfidentEnough(confidenceByRank[rank]!, query);
    const isFiltered = hasMinConfidence(query);
    const likelySlots = isFiltered ? selectedSlots.filter(isLikely) : selectedSlots;
    const slots = cutPage(likelySlots, limit, (slot) => guaranteed.includes(slot));
    const matches = slots.map((slot) => {
      const confidence = confidenceByRank[selectedSlots.indexOf(slot)]!;
      return this.foundMatch(slot, { outcome, words, confidence });
    });
    const rankings = explain ? this.rankings(slots, matches, { outcome, isPlain, words, from }) : [];
    const { place, score } = this.candidates.top;
    const found = slots.map(
      (slot, i): FoundPlace => ({
        place: place[slot]!,
        score: score[slot]!,
        match: matches[i]!,
        guarantee: guaranteed.includes(slot) ? this.guaranteeOf(slot, guaranteed) : undefined,
        ranking: rankings[i],
      }),
    );
    const isExhaustive = !this.work.isExceeded;
    const totals = isFiltered
      ? { total: likelySlots.length, isTotalExact: isExhaustive && likelySlots.length < MAX_HITS }
      : this.totals(selection);
    const bestConfidence = confidenceByRank[0]!;
    return { found, from, text, words, scored, bestConfidence, isExhaustive, work: this.work.used, ...totals };
  }

  private totals({ selectedSlots, outcome }: Selection): Pick<SearchResult, 'total' | 'isTotalExact'> {
    // fewer than MAX_HITS are all matches except duplicates, so duplicates do not count
    const duplicateCount = selectedSlots.length < MAX_HITS ? this.duplicates.rejectedCount : 0;
    const total = outcome.total - duplicateCount;
    return {
      // `total` leaves out places that match only with typos, so there can be more hits
      total: Math.max(total, selectedSlots.length),
      isTotalExact: !this.work.isExceeded && outcome.isTotalExact && selectedSlots.length <= total,
    };
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

  private foundMatch(
    slot: number,
    { outcome, words, confidence }: { outcome: SearchOutcome; words: readonly Word[]; confidence: number },
  ): FoundMatch {
    const { place, position } = this.candidates.top;
    const textMatch = this.textMatchOf(slot, outcome);
    const { match, typos, flags, interpretation, isWordByWord } = textMatch;
    return {
      match,
      typos,
      flags,
      interpretation,
      isWordByWord,
      position: position[slot]!,
      wordFits: isWordByWord ? this.textSearch.wordFits(place[slot]!, words) : undefined,
      kind: matchKind(textMatch, words.length),
      confidence,
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
    return createResult(this, this.reversePage(query), query);
  }

  reversePage(query: ReverseQuery): FoundPage {
    this.work.reset();
    const places = query.mode === 'containing' ? this.containingPlaces(query) : this.nearestPlaces(query);
    const isExhaustive = !this.work.isExceeded;
    return { ...WITHOUT_TEXT, ...places, from: query.at, isReverse: true, isExhaustive, work: this.work.used };
  }

  private nearestPlaces({ at, limit, types }: ReverseQuery): FoundPlaces {
    const { neighbors, filter, work } = this;
    filter.set({ types });
    const accept = filter.acceptsAll ? undefined : (place: number) => filter.accepts(place);
    const count = this.spatial.nearest(at.lat, at.lng, limit, neighbors, { accept, work });
    const found: FoundPlace[] = [];
    for (let i = 0; i < count; i++) found.push({ place: neighbors.ids[i]!, score: -neighbors.meters[i]! });
    return { found, total: filter.acceptsAll ? this.index.metadata.places : filter.count(), isTotalExact: true };
  }

  private containingPlaces(query: ReverseQuery): FoundPlaces {
    this.containing ??= this.createContaining();
    const { country, places, total, isTotalExact, fit, cityInOtherIndex } = this.containing.find(query);
    const found = places.map(({ place, meters, isInside }) => ({ place, score: -meters, isInside }));
    return { found, total, isTotalExact, pointCountry: country, containingFit: fit, cityInOtherIndex };
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

  private browsePage({ limit, around, radiusMeters, explain }: SearchQuery): FoundPage {
    const { index, filter, spatial, work } = this;
    const { places, total, isTotalExact, isExhaustive } = browse(
      { index, filter, spatial, work },
      { limit, around, radiusMeters },
    );
    const importanceOf = (place: number) => index.placeImportance[place]! / MAX_IMPORTANCE;
    const criteria = explain
      ? places.map(({ place, nearness }) => browseCriteria(importanceOf(place), nearness))
      : undefined;
    const found = places.map(({ place, nearness }, i): FoundPlace => {
      const inputs = { filters: filter.queryFilterCount, geoDistanceMeters: this.metersFrom(around, place) };
      return {
        place,
        score: importanceOf(place) + nearness,
        ranking: criteria && browseRanking(criteria[i]!, criteria[i + 1], inputs),
      };
    });
    return { ...WITHOUT_TEXT, found, from: around, total, isTotalExact, isExhaustive, work: work.used };
  }

  /** Distance of a place from a query's point; 0 if the query has none. */
  private metersFrom(point: LatLng | undefined, place: number): number {
    const { placeLatE7, placeLngE7 } = this.index;
    if (point === undefined) return 0;
    return distanceMeters(point.lat, point.lng, placeLatE7[place]! / 1e7, placeLngE7[place]! / 1e7);
  }

  /** `slots` and `matches` are those of the page's hits. */
  private rankings(
    slots: readonly number[],
    matches: readonly FoundMatch[],
    { outcome, isPlain, words, from }: RankingContext,
  ): Ranking[] {
    const { index, candidates, filter } = this;
    const { top } = candidates;
    const criteria = slots.map((slot, i) => {
      const { interpretation } = matches[i]!;
      return searchCriteria(index, top, slot, {
        nearness: candidates.bonusOf(slot),
        queryFlags: queryFlags(interpretation, isPlain),
        interpretation,
      });
    });
    return slots.map((slot, i) => {
      const match = matches[i]!;
      const place = top.place[slot]!;
      return createRanking({
        top,
        slot,
        stage: outcome.stages[top.interpretation[slot]!]!,
        criteria: criteria[i]!,
        next: criteria[i + 1],
        words: countMatchedWords(words, match),
        filters: filter.queryFilterCount,
        wordPositions: matchedWordPositions(this, words, { place, match }),
        isContiguous: !match.isWordByWord,
        exactRegionWords: countExactRegionWords(match.interpretation),
        geoDistanceMeters: this.metersFrom(from, place),
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
