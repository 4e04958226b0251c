/**
 * Finds the pages of a search: the places that match a text or, without one, the most important
 * places. The page of a short text is cached, because such a text matches the most places.
 */

import type { Ranking, SearchQuery, SearchResult } from '../engine.ts';
import { MAX_IMPORTANCE } from '../index-file/layout.ts';
import { browseCriteria, browseRanking, createRanking, searchCriteria } from '../page/explanation.ts';
import {
  countMatchedWords,
  type FoundMatch,
  type FoundPage,
  type FoundPlace,
  matchedWordPositions,
} from '../page/hit-page.ts';
import { candidateCount, cutPage, Duplicates, MAX_CANDIDATES, selectSlots } from '../page/page-selection.ts';
import type { PlaceRecords } from '../page/place-records.ts';
import { distanceMeters, type LatLng } from '../place/sphere.ts';
import { countExactRegionWords, isRegionAlone, queryFlags } from '../query/interpretations.ts';
import { competingScore, confidences, matchKind, type ScoredPage, type TextMatch } from '../rank/confidence.ts';
import { createFilter, type PlaceFilter } from '../rank/place-filter.ts';
import { penaltyParts } from '../rank/scores.ts';
import { fold, foldExceptMarks, type Word } from '../text/fold.ts';
import { MATCH } from '../trie/match-ranges.ts';
import { MAX_HITS } from '../work-budget.ts';
import { browse } from './browse.ts';
import { type SearchOutcome, TextSearch } from './search.ts';
import type { SearchContext } from './search-context.ts';

const PLAIN_ASCII = /^[A-Za-z0-9, ]*$/;
const IN_CAPITALS = /^[A-Z ]+$/;
/** What a page without words has instead of them. */
export const WITHOUT_TEXT = { text: '', words: [], bestConfidence: 0 } as const;
const NOTHING_FOUND: FoundPage = { ...WITHOUT_TEXT, found: [], total: 0, isTotalExact: true, isExhaustive: true };
const MAX_CACHED_TEXT_LENGTH = 3;
/** A cached page is right for all their values; of `allowsTypos`, for true. */
const SERVED_OPTIONS = ['text', 'limit', 'language', 'allowsTypos'];
/** A page takes about 2 KB, so a full cache takes 8 MB per thread. */
const MAX_CACHED_PAGES = 4096;

/** A query as the search takes it. */
interface ReadQuery {
  readonly words: readonly Word[];
  readonly isPlain: boolean;
  readonly isInCapitals: boolean;
  readonly filter: PlaceFilter;
}

interface Selection {
  readonly outcome: SearchOutcome;
  /** Slots in `Candidates.top` that a page of two or more hits must show: see `SearchOutcome`. */
  readonly guaranteed: readonly number[];
  /** Slots in `Candidates.top` for a page of MAX_HITS, from which smaller pages are cut. */
  readonly selectedSlots: readonly number[];
}

interface RankingContext {
  readonly outcome: SearchOutcome;
  readonly isPlain: boolean;
  readonly words: readonly Word[];
  readonly from: LatLng | undefined;
  /** Number of filters in the query. */
  readonly filters: number;
}

export class SearchPages {
  private readonly context: SearchContext;
  private readonly records: PlaceRecords;
  private readonly textSearch: TextSearch;
  private readonly duplicates: Duplicates;
  /** By text. A page serves all languages. */
  private readonly cachedPages = new Map<string, FoundPage>();

  constructor(context: SearchContext, records: PlaceRecords) {
    this.context = context;
    this.records = records;
    this.textSearch = new TextSearch(context);
    this.duplicates = new Duplicates(context.index, records, MAX_CANDIDATES);
  }

  /** The page may have more places than the limit of the query. */
  page(query: SearchQuery): FoundPage {
    const { cachedPages } = this;
    if (!isCacheable(query)) return this.find(query);
    let page = cachedPages.get(query.text);
    if (page === undefined) {
      page = this.find({ ...query, limit: MAX_HITS });
      if (cachedPages.size === MAX_CACHED_PAGES) cachedPages.clear();
      if (page.found.length > 0) cachedPages.set(query.text, page);
    }
    return page;
  }

  private find(query: SearchQuery): FoundPage {
    this.context.work.reset();
    const filter = createFilter(this.context.index, query);
    const { text, minConfidence = 0 } = query;
    if (text.trim() === '') return minConfidence > 0 ? NOTHING_FOUND : this.browsePage(query, filter);
    const words = this.textSearch.readWords(text);
    if (words.length === 0) return NOTHING_FOUND; // punctuation only
    const read = { words, isPlain: isPlainText(text), isInCapitals: IN_CAPITALS.test(text), filter };
    const { top } = this.context.candidates;
    let selection = this.select(query, read, candidateCount(query));
    // duplicates may leave room on the page, which more candidates may fill
    const canBeFilled = selection.selectedSlots.length < MAX_HITS && selection.outcome.total > top.count;
    if (canBeFilled && !this.context.work.isExceeded) selection = this.select(query, read, MAX_CANDIDATES);
    const isExhaustive = !this.context.work.isExceeded;
    if (top.count > 0) return this.textPage(query, read, selection);
    return { ...NOTHING_FOUND, isTotalExact: isExhaustive, isExhaustive, work: this.context.work.used };
  }

  private textPage(query: SearchQuery, { words, isPlain, filter }: ReadQuery, selection: Selection): FoundPage {
    const { outcome, guaranteed, selectedSlots } = selection;
    const { text, around: from, limit, explain = false, minConfidence = 0 } = query;
    const scored = this.scoredPage(selection, text, words.length);
    const confidenceByRank = confidences(scored);
    const likelySlots = selectedSlots.filter((_, rank) => confidenceByRank[rank]! >= minConfidence);
    const slots = cutPage(likelySlots, limit, (slot) => guaranteed.includes(slot));
    const matches = slots.map((slot) => {
      const confidence = confidenceByRank[selectedSlots.indexOf(slot)]!;
      return this.foundMatch(slot, { outcome, words, confidence });
    });
    const rankings = explain
      ? this.rankings(slots, matches, { outcome, isPlain, words, from, filters: filter.query.count })
      : [];
    const { place, score } = this.context.candidates.top;
    const found = slots.map(
      (slot, i): FoundPlace => ({
        place: place[slot]!,
        score: score[slot]!,
        match: matches[i]!,
        ranking: rankings[i],
      }),
    );
    const isExhaustive = !this.context.work.isExceeded;
    const totals =
      minConfidence > 0
        ? { total: likelySlots.length, isTotalExact: isExhaustive && likelySlots.length < MAX_HITS }
        : this.totals(selection);
    const bestConfidence = confidenceByRank[0]!;
    return { found, from, text, words, scored, bestConfidence, isExhaustive, work: this.context.work.used, ...totals };
  }

  private totals({ selectedSlots, outcome }: Selection): Pick<SearchResult, 'total' | 'isTotalExact'> {
    // fewer than MAX_HITS are all matches except duplicates, so duplicates do not count
    const duplicateCount = selectedSlots.length < MAX_HITS ? this.duplicates.rejectedCount : 0;
    const total = outcome.total - duplicateCount;
    return {
      // `total` leaves out places that match only with typos, so there can be more hits
      total: Math.max(total, selectedSlots.length),
      isTotalExact: !this.context.work.isExceeded && outcome.isTotalExact && selectedSlots.length <= total,
    };
  }

  private select(query: SearchQuery, { words, ...read }: ReadQuery, capacity: number): Selection {
    const { duplicates } = this;
    const { index, candidates } = this.context;
    const { around, radiusMeters, allowsTypos = true } = query;
    candidates.reset(around, capacity);
    const outcome = this.textSearch.run(words, { ...read, allowsTypos });
    const guaranteed = radiusMeters === undefined ? outcome.guaranteed : [];
    const selectedSlots = selectSlots(query, guaranteed, { top: candidates.top, index, duplicates });
    return { outcome, guaranteed, selectedSlots };
  }

  private textMatchOf(slot: number, { interpretations }: SearchOutcome): TextMatch {
    const { top } = this.context.candidates;
    const interpretation = top.interpretation[slot]!;
    return {
      match: top.match[slot]!,
      typos: top.typos[slot]!,
      flags: top.flags[slot]!,
      interpretation: interpretations[interpretation]!,
    };
  }

  private foundMatch(
    slot: number,
    { outcome, words, confidence }: { outcome: SearchOutcome; words: readonly Word[]; confidence: number },
  ): FoundMatch {
    const { place, position } = this.context.candidates.top;
    const textMatch = this.textMatchOf(slot, outcome);
    const { match, typos, flags, interpretation } = textMatch;
    return {
      match,
      typos,
      flags,
      interpretation,
      position: position[slot]!,
      wordFits: interpretation.isWordByWord ? this.textSearch.wordFits(place[slot]!, words) : undefined,
      kind: matchKind(textMatch, words.length),
      confidence,
    };
  }

  /** There must be at least one selected slot. */
  private scoredPage({ selectedSlots, outcome }: Selection, text: string, wordCount: number): ScoredPage {
    const { candidates } = this.context;
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

  private browsePage({ limit, around, radiusMeters, explain }: SearchQuery, filter: PlaceFilter): FoundPage {
    const { index, work } = this.context;
    const { places, total, isTotalExact, isExhaustive } = browse(
      { ...this.context, filter },
      { limit, around, radiusMeters },
    );
    const importanceOf = (place: number) => index.placeImportance[place]! / MAX_IMPORTANCE;
    const criteria = explain
      ? places.map(({ place, nearness }) => browseCriteria(importanceOf(place), nearness))
      : undefined;
    const found = places.map(({ place, nearness }, i): FoundPlace => {
      const inputs = { filters: filter.query.count, geoDistanceMeters: this.metersFrom(around, place) };
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
    const { placeLatE7, placeLngE7 } = this.context.index;
    if (point === undefined) return 0;
    return distanceMeters(point.lat, point.lng, placeLatE7[place]! / 1e7, placeLngE7[place]! / 1e7);
  }

  /** `slots` and `matches` are those of the page's hits. */
  private rankings(
    slots: readonly number[],
    matches: readonly FoundMatch[],
    { outcome, isPlain, words, from, filters }: RankingContext,
  ): Ranking[] {
    const { index, candidates } = this.context;
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
        stage: outcome.readings[top.interpretation[slot]!]!,
        criteria: criteria[i]!,
        next: criteria[i + 1],
        words: countMatchedWords(words, match),
        filters,
        wordPositions: matchedWordPositions({ index, records: this.records }, words, { place, match }),
        isContiguous: !match.interpretation.isWordByWord,
        exactRegionWords: countExactRegionWords(match.interpretation),
        geoDistanceMeters: this.metersFrom(from, place),
      });
    });
  }
}

/** Whether the query has a short text, and otherwise at most options that the cached page serves. */
function isCacheable(query: SearchQuery): boolean {
  if (query.text.length > MAX_CACHED_TEXT_LENGTH || query.allowsTypos === false) return false;
  // a copy of the other options would take 1 µs, a fifth of the time of a cached page
  for (const name in query) if (!SERVED_OPTIONS.includes(name) && query[name as keyof SearchQuery]) return false;
  return true;
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
