/**
 * The engine over an opened index: text search, nearest places, lookup by id. One instance serves one thread; its
 * scratch memory is reused from query to query, the index itself is shared.
 */
import type { Index } from '../index-file/layout.ts';
import { openIndex } from '../index-file/open-index.ts';
import type { LatLng } from '../place/sphere.ts';
import { fold, foldWords } from '../text/fold.ts';
import type { Engine, FullRecord, Guarantee, ReverseQuery, SearchQuery, SearchResult } from './engine.ts';
import { LayeredEngine } from './layered-engine.ts';
import { SpatialIndex } from './nearest.ts';
import { cutPage, MAX_HITS } from './page/cut-page.ts';
import { Twins } from './page/duplicates.ts';
import { browsedRanking, browsedStanding, rankingOf, standingOf } from './page/explanation.ts';
import { HitPage } from './page/hit-page.ts';
import { labelWith } from './page/labels.ts';
import { candidatesFor, MOST_CANDIDATES, pageSlots } from './page/page-slots.ts';
import { PlaceRecords } from './page/place-records.ts';
import { exactRegionWords, typedBits } from './query/interpretations.ts';
import { Candidates } from './rank/candidates.ts';
import { PlaceFilter } from './rank/place-filter.ts';
import { browse } from './search/browse.ts';
import { type Searched, TextSearch } from './search/search.ts';
import { FirstLetters } from './short-prefix-cache.ts';
import { MAX_WORK, WorkBudget } from './work-budget.ts';

const PLAIN = /^[A-Za-z0-9, ]*$/;
const NOTHING: SearchResult = { hits: [], total: 0, isTotalExact: true, isExhaustive: true };
/** Share of the work budget for the overlay, which is small. The rest is enough for every judged query. */
const OVERLAY_SHARE = 0.1;

/**
 * With an overlay, its places stand in for those of the index that it replaces. `maxWork` bounds the work of a search,
 * of index and overlay together.
 */
export function openEngine(
  bytes: SharedArrayBuffer | ArrayBuffer,
  overlay?: SharedArrayBuffer | ArrayBuffer | undefined,
  maxWork = MAX_WORK,
): Engine {
  if (overlay === undefined) return new IndexEngine(openIndex(bytes), [], maxWork);
  const over = openIndex(overlay);
  const replaced = over.head.replaces ?? [];
  const overWork = maxWork * OVERLAY_SHARE;
  const base = new IndexEngine(openIndex(bytes), replaced, maxWork - overWork);
  return new LayeredEngine(base, new IndexEngine(over, [], overWork), replaced);
}

class IndexEngine implements Engine {
  readonly dataset;
  private readonly index: Index;
  private readonly records: PlaceRecords;
  private readonly spatial: SpatialIndex;
  private readonly filter: PlaceFilter;
  private readonly candidates: Candidates;
  private readonly text: TextSearch;
  private readonly twins: Twins;
  private readonly firstLetters = new FirstLetters();
  private readonly work: WorkBudget;
  private readonly nearest = { ids: new Uint32Array(MAX_HITS), meters: new Float64Array(MAX_HITS) };

  constructor(index: Index, replaced: readonly string[], maxWork: number) {
    this.index = index;
    this.work = new WorkBudget(maxWork);
    const { version, places, attribution } = index.head;
    this.dataset = { version, places, attribution };
    this.records = new PlaceRecords(index);
    const isHidden = hiddenPlaces(index, this.records, replaced);
    this.filter = new PlaceFilter(index, isHidden);
    this.spatial = new SpatialIndex({
      ids: index.treeIds,
      coords: index.treeCoords,
      latE7: index.placeLatE7,
      lngE7: index.placeLngE7,
    });
    this.candidates = new Candidates(index, MOST_CANDIDATES, isHidden);
    const { spatial, filter, candidates, work } = this;
    this.text = new TextSearch(index, { spatial, filter, candidates, work });
    this.twins = new Twins(index, this.records, MOST_CANDIDATES);
  }

  search(query: SearchQuery): SearchResult {
    const { firstLetters } = this;
    if (!firstLetters.isKept(query)) return this.searchFor(query);
    const known = firstLetters.find(query);
    if (known !== undefined) return known.copy(query.language, query.limit);
    const found = this.searchFor({ ...query, limit: MAX_HITS });
    if (!(found instanceof HitPage)) return found;
    firstLetters.keep(query, found);
    return found.copy(query.language, query.limit);
  }

  private searchFor(query: SearchQuery): SearchResult {
    this.work.reset();
    this.filter.set(query);
    const words = foldWords(query.text);
    if (query.text.trim() === '') return this.browse(query);
    if (words.length === 0) return NOTHING; // signs only: nothing is called that
    const { around, radiusMeters, language, explain } = query;
    this.candidates.begin(around, candidatesFor(query));
    const isPlain = isTypedPlain(query.text);
    const searched = this.text.run(words, { isPlain, around, radiusMeters });
    const { index, records } = this;
    const { top } = this.candidates;
    const isExhaustive = !this.work.isExceeded;
    if (top.count === 0) return { hits: [], total: 0, isTotalExact: isExhaustive, isExhaustive, work: this.work.used };
    const { missingWords } = searched;
    const page = new HitPage({ index, records, language, from: around, text: query.text, words, missingWords });
    const guaranteed = radiusMeters === undefined ? searched.kept : [];
    const whole = pageSlots(query, guaranteed, { top, index, twins: this.twins });
    const slots = cutPage(whole, query.limit, (slot) => guaranteed.includes(slot));
    for (const slot of slots) {
      const reading = searched.readings[top.reading[slot]!]!;
      const hit = page.add(top.place[slot]!, top.score[slot]!, {
        posting: top.posting[slot]!,
        flags: top.flags[slot]!,
        typos: top.typos[slot]!,
        reading,
      });
      if (guaranteed.includes(slot)) hit.guarantee = this.guaranteeOf(slot, guaranteed);
    }
    if (explain) this.explain(page, slots, { searched, isPlain });
    page.total = Math.max(searched.total, whole.length);
    page.isTotalExact = isExhaustive && searched.isTotalExact && whole.length <= searched.total;
    page.isExhaustive = isExhaustive;
    page.work = this.work.used;
    return page;
  }

  private guaranteeOf(slot: number, [anywhere]: readonly number[]): Guarantee {
    const { top } = this.candidates;
    const score = top.score[slot]!;
    if (slot !== anywhere) return { kind: 'nearby', score };
    return { kind: 'anywhere', score: score - this.candidates.bonus(top.place[slot]!) };
  }

  reverse({ at, limit, types, language }: ReverseQuery): SearchResult {
    this.work.reset();
    this.filter.set({ types });
    const { nearest, filter, work } = this;
    const accept = filter.isOpen ? undefined : (place: number) => filter.accepts(place);
    const count = this.spatial.nearest(at.lat, at.lng, limit, nearest, { accept, work });
    const page = this.wordlessPage(language, at, true);
    for (let i = 0; i < count; i++) page.add(nearest.ids[i]!, -nearest.meters[i]!);
    // every place is at some distance, so all that pass are found; they are not counted for it
    page.total = filter.isOpen ? this.index.head.places : count;
    page.isExhaustive = !work.isExceeded;
    page.work = work.used;
    page.isTotalExact = filter.isOpen || (count < limit && page.isExhaustive);
    return page;
  }

  get(objectID: string, language?: string): FullRecord | undefined {
    const found = this.records.find(objectID);
    const place = found ?? this.records.findSuccessor(objectID);
    if (place === undefined) return undefined;
    const record = this.records.record(place, language);
    return {
      record,
      label: labelWith(record, 0),
      names: this.records.allNames(place),
      ...(found === undefined ? { supersededBy: record.objectID } : {}),
    };
  }

  private browse({ limit, language, around, radiusMeters, explain }: SearchQuery): SearchResult {
    const { index, filter, spatial, work } = this;
    const { places, total, isTotalExact, isExhaustive } = browse(
      { index, filter, spatial, work },
      { limit, around, radiusMeters },
    );
    const standings = places.map(({ place, nearness }) => browsedStanding(this.index, place, nearness));
    const page = this.wordlessPage(language, around, false);
    places.forEach(({ place }, i) => {
      const standing = standings[i]!;
      const hit = page.add(place, standing.score);
      if (!explain) return;
      const facts = { filters: this.filter.count, geoDistanceMeters: hit.distanceMeters ?? 0 };
      hit.ranking = browsedRanking(standing, standings[i + 1], facts);
    });
    page.total = total;
    page.isTotalExact = isTotalExact;
    page.isExhaustive = isExhaustive;
    page.work = this.work.used;
    return page;
  }

  private wordlessPage(language: string | undefined, from: LatLng | undefined, isReverse: boolean): HitPage {
    const { index, records } = this;
    return new HitPage({ index, records, language, from, isReverse, text: '', words: [] });
  }

  private explain(
    page: HitPage,
    slots: readonly number[],
    { searched, isPlain }: { searched: Searched; isPlain: boolean },
  ): void {
    const { index, candidates, filter } = this;
    const { top } = candidates;
    const standings = slots.map((slot) => {
      const reading = searched.readings[top.reading[slot]!]!;
      const nearness = candidates.bonus(top.place[slot]!);
      return standingOf(index, top, slot, {
        nearness,
        typed: typedBits(reading, isPlain),
        otherName: reading.otherName,
      });
    });
    page.hits.forEach((hit, i) => {
      const slot = slots[i]!;
      const reading = searched.readings[top.reading[slot]!]!;
      hit.ranking = rankingOf({
        top,
        slot,
        standing: standings[i]!,
        next: standings[i + 1],
        words: page.facts.words.length - searched.missingWords.length,
        filters: filter.count,
        wordPositions: hit.wordPositions(),
        isContiguous: top.reading[slot] !== searched.scatteredReading,
        exactRegionWords: exactRegionWords(reading),
        geoDistanceMeters: hit.distanceMeters ?? 0,
      });
    });
  }
}

/** 1 for each place with one of the ids; undefined where there is none. */
function hiddenPlaces(index: Index, records: PlaceRecords, ids: readonly string[]): Uint8Array | undefined {
  if (ids.length === 0) return undefined;
  const isHidden = new Uint8Array(index.head.places);
  for (const id of ids) {
    const place = records.find(id);
    if (place !== undefined) isHidden[place] = 1;
  }
  return isHidden;
}

/** Commas and spaces belong to the query, not to the name. */
function isTypedPlain(text: string): boolean {
  return (
    PLAIN.test(text) ||
    fold(text) ===
      text
        .toLowerCase()
        .replace(/[\s,]+/gu, ' ')
        .trim()
  );
}
