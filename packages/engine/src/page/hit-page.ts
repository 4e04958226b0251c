/**
 * Turns the places that an engine found into a result of plain objects. A `FoundPage` holds ids and
 * matches in no language, so it can be cached and shown in any. All hits are literals of one shape,
 * because V8 reads those fastest.
 */

import type {
  DegradedQuery,
  Highlight,
  Hit,
  MatchCode,
  MatchedName,
  MatchedRegion,
  PlaceRecord,
  Ranking,
  SearchResult,
} from '../engine.ts';
import type { Index } from '../index-file/layout.ts';
import { findNameOrdinal } from '../index-file/posting.ts';
import { bearingDegrees, distanceMeters, type LatLng } from '../place/sphere.ts';
import { degradedQuery, type NameChoices, type RegionName } from '../query/degraded.ts';
import { type Interpretation, isExact, isRegionAlone, leavesOut } from '../query/interpretations.ts';
import { type MatchKind, matchCode, type TextMatch } from '../rank/confidence.ts';
import type { WordFit } from '../search/word-by-word-scan.ts';
import type { Word } from '../text/fold.ts';
import { MATCH } from '../trie/match-ranges.ts';
import {
  highlightName,
  highlightRespelt,
  type TypedName,
  typedName,
  type WordPositions,
  wordPositions,
} from './highlight.ts';
import { type FindLandmark, pageLabels } from './labels.ts';
import type { Landmarks } from './landmarks.ts';
import type { PlaceRecords, StoredName } from './place-records.ts';
import { isSameWhenFolded, type StoredText } from './stored-text.ts';

export interface FoundMatch extends TextMatch {
  /** Index of the matching posting in `postings`. */
  readonly position: number;
  /** The fit of each query word. Set only if the place was found word by word. */
  readonly wordFits: readonly WordFit[] | undefined;
  readonly kind: MatchKind;
  /** On a page of MAX_HITS. */
  readonly confidence: number;
}

export interface FoundPlace {
  readonly place: number;
  readonly score: number;
  /** Present if the query has words. */
  readonly match?: FoundMatch;
  readonly isInside?: boolean;
  readonly ranking?: Ranking | undefined;
}

export interface FoundPage
  extends Pick<SearchResult, 'total' | 'isTotalExact' | 'isExhaustive' | 'work' | 'scored' | 'pointCountry'> {
  readonly found: readonly FoundPlace[];
  /** The point that distances are measured from. */
  readonly from?: LatLng | undefined;
  /** Whether this is a reverse lookup, whose scores are negative distances in metres. */
  readonly isReverse?: boolean;
  /** The query as typed. */
  readonly text: string;
  readonly words: readonly Word[];
  /** Of the first hit on a page of MAX_HITS. 0 if the query has no words. */
  readonly bestConfidence: number;
}

interface PageSources {
  readonly index: Index;
  readonly records: PlaceRecords;
  readonly landmarks: Landmarks;
}

interface ShownPlace extends FoundPlace {
  readonly nameText: StoredText;
  readonly record: PlaceRecord;
  /** The name that matched, even if the record shows it. Undefined if the query has no words. */
  readonly matched: StoredName | undefined;
}

/** The result with the first `limit` places of a page. */
export function createResult(
  sources: PageSources,
  page: FoundPage,
  { language, limit }: { language?: string | undefined; limit: number },
): SearchResult {
  const cutPage = page.found.length > limit ? { ...page, found: page.found.slice(0, limit) } : page;
  const result = new ResultPage(sources, cutPage, language).result();
  const findLandmark = (record: PlaceRecord) => sources.landmarks.nameNear(record, language);
  return { ...result, hits: withLabels(result.hits, findLandmark) };
}

/** Makes the labels of the hits of a page differ. */
function withLabels(hits: readonly Hit[], findLandmark: FindLandmark): Hit[] {
  const labels = pageLabels(
    hits.map(({ record }) => record),
    findLandmark,
  );
  return hits.map((hit, i) => {
    const label = labels[i];
    return label === undefined ? hit : { ...hit, label, hasPlainLabel: false };
  });
}

class ResultPage {
  private readonly sources: PageSources;
  private readonly page: FoundPage;
  private readonly language: string | undefined;
  /** Cache for one interpretation, because the hits of a page rarely have different ones. */
  private cachedTypedName: { readonly interpretation: Interpretation; readonly name: TypedName } | undefined;

  constructor(sources: PageSources, page: FoundPage, language: string | undefined) {
    this.sources = sources;
    this.page = page;
    this.language = language;
  }

  result(): SearchResult {
    const { page, language } = this;
    const { total, isTotalExact, isExhaustive, work, scored, pointCountry } = page;
    const shown = page.found.map((place) => this.show(place));
    return {
      hits: shown.map((place) => this.hit(place)),
      total,
      isTotalExact,
      isExhaustive,
      degraded: shown.length === 0 ? undefined : this.degraded(shown[0]!),
      matchedRegion: matchedRegion(this.sources.records, page.found, language),
      pointCountry,
      work,
      scored,
    };
  }

  private show({ place, score, match, isInside, ranking }: FoundPlace): ShownPlace {
    const { index, records } = this.sources;
    const ordinal = match === undefined ? 0 : findNameOrdinal(index, place, match.position);
    const isNameMatch = match !== undefined && !isRegionAlone(match.interpretation);
    const nameText = records.nameText(place, this.language, isNameMatch ? ordinal : undefined);
    return {
      place,
      score,
      match: match!,
      isInside: isInside!,
      ranking,
      nameText,
      record: records.record(place, this.language, nameText),
      matched: match === undefined ? undefined : records.name(place, ordinal),
    };
  }

  private hit(shown: ShownPlace): Hit {
    const { record, score, match, isInside, ranking } = shown;
    const { from, isReverse = false } = this.page;
    const highlight = match === undefined ? undefined : this.highlight(shown, match);
    return {
      objectID: record.objectID,
      label: record.name + record.regions.labelEnd,
      score,
      confidence: match === undefined ? (isReverse ? undefined : 0) : match.confidence,
      matchCode: this.matchCode(match),
      distanceMeters: from && (isReverse ? -score : distanceMeters(from.lat, from.lng, record.lat, record.lng)),
      bearingDegrees: from && isReverse ? bearingDegrees(from.lat, from.lng, record.lat, record.lng) : undefined,
      isInside,
      matchedName: match === undefined ? undefined : this.matchedName(shown, match, highlight!),
      highlight,
      ranking,
      record,
      hasPlainLabel: true,
    };
  }

  private matchCode(match: FoundMatch | undefined): MatchCode | undefined {
    if (match === undefined) return this.page.isReverse ? undefined : 'ambiguous';
    return matchCode(match.kind, this.page.bestConfidence);
  }

  private highlight(shown: ShownPlace, { interpretation, typos }: FoundMatch): Highlight {
    const typed = this.typedNameFor(interpretation);
    const highlight = highlightName(shown.nameText, typed, typos);
    if (highlight.ranges.length > 0 || !showsMatchedName(shown)) return highlight;
    return highlightRespelt(shown.nameText, typed, typos);
  }

  private typedNameFor(interpretation: Interpretation): TypedName {
    if (this.cachedTypedName?.interpretation !== interpretation) {
      const { text, words } = this.page;
      const name = typedName(text, words.slice(interpretation.from, interpretation.to));
      this.cachedTypedName = { interpretation, name };
    }
    return this.cachedTypedName.name;
  }

  /** The name that matched, or undefined if the record shows it, perhaps with other accents. */
  private matchedName(shown: ShownPlace, match: FoundMatch, highlight: Highlight): MatchedName | undefined {
    if (isRegionAlone(match.interpretation)) return undefined;
    if (this.language === undefined && showsMatchedName(shown)) return undefined;
    const { value, language } = shown.matched!;
    // without highlighted letters, the shown name does not explain the hit
    if (highlight.ranges.length > 0 && isSameWhenFolded(value, shown.nameText)) return undefined;
    const { typos } = match;
    return language === '' ? { value: value.text, typos } : { value: value.text, language, typos };
  }

  private degraded(best: ShownPlace): DegradedQuery | undefined {
    const { text, words } = this.page;
    if (best.match === undefined) return undefined;
    const { match, typos, interpretation, wordFits } = best.match;
    const hasExactRegions = interpretation.regionGroups.every(isExact);
    const usesAllWords = wordFits === undefined && !words.some((_, word) => leavesOut(interpretation, word));
    if (typos === 0 && usesAllWords && hasExactRegions) return undefined;
    return degradedQuery(text, words, {
      interpretation,
      typos,
      isPrefix: match !== MATCH.whole,
      wordFits,
      names: () => this.nameChoices(best),
      regionNames: () => this.regionNames(best),
    });
  }

  private nameChoices({ place, record: { name }, matched }: ShownPlace): NameChoices {
    const { records } = this.sources;
    const mainName = records.mainNameText(place).text;
    return {
      preferred: name === mainName ? [name] : [name, mainName],
      inLanguages: () => records.namesInLanguages(place),
      matched: matched!.value.text,
    };
  }

  /** For each region of the place, the name that the record shows, then its name in the index. */
  private regionNames({ place, record }: ShownPlace): RegionName[] {
    const { index, records } = this.sources;
    const { administrative, county, country } = record.regions;
    const shownNames = [
      { id: index.placeAdmin1[place]!, name: administrative[0] ?? '' },
      { id: index.placeAdmin2[place]!, name: county[0] ?? '' },
      { id: index.placeCountry[place]!, name: country },
    ];
    return shownNames
      .filter(({ id }) => id !== 0)
      .flatMap((shown) => [shown, { id: shown.id, name: records.regionName(shown.id) }]);
  }
}

/** The region that the query names, if some of the places were found by it alone. */
function matchedRegion(
  records: PlaceRecords,
  found: readonly FoundPlace[],
  language: string | undefined,
): MatchedRegion | undefined {
  const first = found.find(({ match }) => match?.kind === 'regionAlone');
  if (first === undefined) return undefined;
  const regions = first.match!.interpretation.regionGroups.flatMap((group) => [...group.regions]);
  return records.regionAmong(first.place, regions, language);
}

function showsMatchedName({ matched, nameText }: ShownPlace): boolean {
  // equal texts are stored once, so equal names have equal offsets
  return matched!.value.start === nameText.start;
}

export function countMatchedWords(words: readonly Word[], { wordFits, interpretation }: FoundMatch): number {
  if (wordFits !== undefined) return wordFits.filter((fit) => fit !== 'missing').length;
  return words.filter((_, word) => !leavesOut(interpretation, word)).length;
}

/** Where the typed words are in the name that matched. */
export function matchedWordPositions(
  { index, records }: Pick<PageSources, 'index' | 'records'>,
  words: readonly Word[],
  { place, match }: { place: number; match: FoundMatch },
): WordPositions {
  const { interpretation, typos, position } = match;
  const { value } = records.name(place, findNameOrdinal(index, place, position));
  return wordPositions(value, words.slice(interpretation.from, interpretation.to), typos);
}
