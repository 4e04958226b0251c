/** One page of hits. The fields of a hit are computed when they are read. */
import type { Index } from '../../index-file/layout.ts';
import { readObjectId } from '../../index-file/packed-record.ts';
import { findNameOrdinal } from '../../index-file/posting.ts';
import { bearingDegrees, distanceMeters, type LatLng } from '../../place/sphere.ts';
import type { Word } from '../../text/fold.ts';
import type {
  DegradedQuery,
  Guarantee,
  Highlight,
  Hit,
  MatchCode,
  MatchedName,
  MatchedRegion,
  Ranking,
  SearchResult,
} from '../engine.ts';
import type { NameChoices } from '../query/corrected-name.ts';
import { degradedQuery, type RegionName } from '../query/degraded.ts';
import { type Interpretation, isExact, isRegionAlone, leavesOut } from '../query/interpretations.ts';
import { confidences, type ScoredPage } from '../rank/confidence.ts';
import { type MatchKind, matchCode, matchKind, type TextMatch } from '../rank/match-kind.ts';
import type { WordFit } from '../search/word-by-word-scan.ts';
import { MATCH } from '../trie/match-ranges.ts';
import { isSameWhenFolded } from './folded-name.ts';
import {
  highlightName,
  highlightRespelt,
  type TypedName,
  typedName,
  type WordPositions,
  wordPositions,
} from './highlight.ts';
import type { IndexRecord } from './index-record.ts';
import { type PageLabels, pageLabels } from './labels.ts';
import type { Landmarks } from './landmarks.ts';
import type { PlaceRecords, StoredName } from './place-records.ts';

interface HitMatch extends TextMatch {
  /** Index of the matching posting in `postings`. */
  readonly position: number;
  /** The fit of each query word. Set only if the place was found word by word. */
  readonly wordFits: readonly WordFit[] | undefined;
}

interface HitFields {
  readonly place: number;
  readonly score: number;
  /** Present if the query has words. */
  readonly match?: HitMatch | undefined;
  /** The hit's rank, from 0, on a page of MAX_HITS. */
  readonly fullPageRank?: number;
  readonly matchKind?: MatchKind | undefined;
}

export interface PageContext {
  readonly index: Index;
  readonly records: PlaceRecords;
  readonly landmarks: Landmarks;
  readonly language: string | undefined;
  /** The point that distances are measured from. */
  readonly from: LatLng | undefined;
  /** Whether this is a reverse lookup, whose scores are negative distances in metres. */
  readonly isReverse?: boolean;
  /** The query as typed. */
  readonly text: string;
  readonly words: readonly Word[];
  /** Present if the query has words. */
  readonly scored?: ScoredPage;
}

export class HitPage implements SearchResult {
  readonly hits: PageHit[] = [];
  readonly context: PageContext;
  total = 0;
  isTotalExact = true;
  isExhaustive = true;
  work = 0;
  pointCountry: string | null | undefined;
  containingFit: number | undefined;
  cityInOtherIndex: string | undefined;
  private cachedLabels: PageLabels | undefined;
  private cachedConfidences: readonly number[] | undefined;
  /** Cache for one interpretation, because the hits of a page rarely have different ones. */
  private cachedTypedName: { readonly interpretation: Interpretation; readonly name: TypedName } | undefined;

  constructor(context: PageContext) {
    this.context = context;
  }

  /** Copies the first `limit` hits without their ranking and guarantee. */
  copy({ language, limit }: { language?: string | undefined; limit: number }): HitPage {
    const page = new HitPage({ ...this.context, language });
    for (const { place, score, match, fullPageRank, matchKind } of this.hits.slice(0, limit)) {
      page.add({ place, score, match, fullPageRank, matchKind });
    }
    page.total = this.total;
    page.isTotalExact = this.isTotalExact;
    page.isExhaustive = this.isExhaustive;
    page.work = this.work;
    page.cachedConfidences = this.confidences;
    return page;
  }

  add(fields: HitFields): PageHit {
    const hit = new PageHit(this, this.hits.length, fields);
    this.hits.push(hit);
    return hit;
  }

  get scored(): ScoredPage | undefined {
    return this.context.scored;
  }

  /** The confidences on a page of MAX_HITS. */
  get confidences(): readonly number[] {
    this.cachedConfidences ??= this.scored === undefined ? [] : confidences(this.scored);
    return this.cachedConfidences;
  }

  get labels(): PageLabels {
    this.cachedLabels ??= this.createLabels();
    return this.cachedLabels;
  }

  private createLabels(): PageLabels {
    const { landmarks, language } = this.context;
    const records = this.hits.map(({ record }) => record);
    return pageLabels(records, (record) => landmarks.nameNear(record, language));
  }

  typedNameFor(interpretation: Interpretation): TypedName {
    if (this.cachedTypedName?.interpretation !== interpretation) {
      const { text, words } = this.context;
      this.cachedTypedName = {
        interpretation,
        name: typedName(text, words.slice(interpretation.from, interpretation.to)),
      };
    }
    return this.cachedTypedName.name;
  }

  get degraded(): DegradedQuery | undefined {
    const { text, words } = this.context;
    const [best] = this.hits;
    if (best?.match === undefined) return undefined;
    const { match, typos, interpretation, wordFits } = best.match;
    const hasExactRegions = interpretation.regionGroups.every(isExact);
    const usesAllWords = wordFits === undefined && !words.some((_, word) => leavesOut(interpretation, word));
    if (typos === 0 && usesAllWords && hasExactRegions) return undefined;
    return degradedQuery(text, words, {
      interpretation,
      typos,
      isPrefix: match !== MATCH.whole,
      wordFits,
      names: () => best.nameChoices(),
      regionNames: () => best.regionNames(),
    });
  }

  get matchedRegion(): MatchedRegion | undefined {
    for (const { place, match } of this.hits) {
      if (match === undefined || !isRegionAlone(match.interpretation)) continue;
      const regions = match.interpretation.regionGroups.flatMap((group) => [...group.regions]);
      return this.context.records.regionAmong(place, regions, this.context.language);
    }
    return undefined;
  }
}

class PageHit implements Hit {
  readonly rank: number;
  readonly place: number;
  readonly score: number;
  readonly match: HitMatch | undefined;
  readonly fullPageRank: number;
  ranking: Ranking | undefined;
  guarantee: Guarantee | undefined;
  isInside: boolean | undefined;
  private readonly page: HitPage;
  private cachedMatchKind: MatchKind | undefined;
  private cachedRecord: IndexRecord | undefined;
  private cachedNameOrdinal: number | undefined;

  constructor(page: HitPage, rank: number, { place, score, match, fullPageRank = rank, matchKind }: HitFields) {
    this.page = page;
    this.rank = rank;
    this.place = place;
    this.score = score;
    this.match = match;
    this.fullPageRank = fullPageRank;
    this.cachedMatchKind = matchKind;
  }

  get objectID(): string {
    return readObjectId(this.page.context.index, this.place);
  }

  get record(): IndexRecord {
    const { records, language } = this.page.context;
    this.cachedRecord ??= records.record(this.place, language, language === undefined ? undefined : this.nameMatch());
    return this.cachedRecord;
  }

  get label(): string {
    return this.page.labels[this.rank] ?? this.record.name + this.record.regions.labelEnd;
  }

  get hasPlainLabel(): boolean {
    return this.page.labels[this.rank] === undefined;
  }

  get distanceMeters(): number | undefined {
    const { from, isReverse } = this.page.context;
    if (from === undefined) return undefined;
    if (isReverse) return -this.score;
    return distanceMeters(from.lat, from.lng, this.record.lat, this.record.lng);
  }

  get bearingDegrees(): number | undefined {
    const { from, isReverse } = this.page.context;
    if (from === undefined || !isReverse) return undefined;
    return bearingDegrees(from.lat, from.lng, this.record.lat, this.record.lng);
  }

  get confidence(): number | undefined {
    if (this.match === undefined) return this.page.context.isReverse ? undefined : 0;
    return this.page.confidences[this.fullPageRank];
  }

  get matchKind(): MatchKind | undefined {
    if (this.match === undefined) return undefined;
    this.cachedMatchKind ??= matchKind(this.match, this.page.context.words.length);
    return this.cachedMatchKind;
  }

  get matchCode(): MatchCode | undefined {
    const { matchKind: kind, page } = this;
    if (kind === undefined) return page.context.isReverse ? undefined : 'ambiguous';
    return matchCode(kind, page.confidences[0]!);
  }

  get highlight(): Highlight | undefined {
    if (this.match === undefined) return undefined;
    const { interpretation, typos } = this.match;
    const { nameText } = this.record;
    const typed = this.page.typedNameFor(interpretation);
    const highlight = highlightName(nameText, typed, typos);
    if (highlight.ranges.length > 0 || !this.showsMatchedName()) return highlight;
    return highlightRespelt(nameText, typed, typos);
  }

  /** The name that matched, or undefined if the record shows it, perhaps with other accents. */
  get matchedName(): MatchedName | undefined {
    if (this.match === undefined || isRegionAlone(this.match.interpretation)) return undefined;
    if (this.page.context.language === undefined && this.showsMatchedName()) return undefined;
    const { value, language } = this.storedMatchedName();
    const isShown = isSameWhenFolded(value, this.record.nameText);
    // without highlighted letters, the shown name does not explain the hit
    if (isShown && this.highlight!.ranges.length > 0) return undefined;
    const { typos } = this.match;
    return language === '' ? { value: value.text, typos } : { value: value.text, language, typos };
  }

  get matchedWordCount(): number {
    if (this.match === undefined) return 0;
    const { wordFits, interpretation } = this.match;
    if (wordFits !== undefined) return wordFits.filter((fit) => fit !== 'missing').length;
    return this.page.context.words.filter((_, word) => !leavesOut(interpretation, word)).length;
  }

  wordPositions(): WordPositions {
    if (this.match === undefined) return { positions: [], exactCount: 0 };
    const { interpretation, typos } = this.match;
    return wordPositions(this.storedMatchedName().value, this.page.typedNameFor(interpretation).words, typos);
  }

  /** The name that matched, even if the record shows it. */
  storedMatchedName(): StoredName {
    return this.page.context.records.name(this.place, this.matchedNameOrdinal());
  }

  nameChoices(): NameChoices {
    const { records } = this.page.context;
    const { name } = this.record;
    const mainName = records.mainNameText(this.place).text;
    return {
      preferred: name === mainName ? [name] : [name, mainName],
      inLanguages: () => records.namesInLanguages(this.place),
      matched: this.storedMatchedName().value.text,
    };
  }

  /** For each region of the place, the name that the record shows, then its name in the index. */
  regionNames(): RegionName[] {
    const { index, records } = this.page.context;
    const { administrative, county, country } = this.record.regions;
    const shownNames = [
      { id: index.placeAdmin1[this.place]!, name: administrative[0] ?? '' },
      { id: index.placeAdmin2[this.place]!, name: county[0] ?? '' },
      { id: index.placeCountry[this.place]!, name: country },
    ];
    return shownNames
      .filter(({ id }) => id !== 0)
      .flatMap((shown) => [shown, { id: shown.id, name: records.regionName(shown.id) }]);
  }

  private showsMatchedName(): boolean {
    // equal texts are stored once, so equal names have equal offsets
    return this.storedMatchedName().value.start === this.record.nameText.start;
  }

  /** Which of the place's names matched. Undefined if only its region matched. */
  private nameMatch(): number | undefined {
    if (this.match === undefined || isRegionAlone(this.match.interpretation)) return undefined;
    return this.matchedNameOrdinal();
  }

  /** Which of the place's names matched. 0 is the main name. */
  private matchedNameOrdinal(): number {
    this.cachedNameOrdinal ??= findNameOrdinal(this.page.context.index, this.place, this.match?.position);
    return this.cachedNameOrdinal;
  }
}
