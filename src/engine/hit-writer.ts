/**
 * Candidates to hits: twins left out, the page filled, and for each hit its label, the name that matched, what of it
 * to highlight and, when asked, why it stands where it does.
 */
import type { Index } from '../index-file/layout.ts';
import { distanceMeters } from '../place/sphere.ts';
import { fold, type Word } from '../text/fold.ts';
import { degradedQuery } from './degraded.ts';
import type { DegradedQuery, Hit, MatchedName, PlaceRecord, SearchQuery } from './engine.ts';
import { rankingOf, standingOf } from './explain.ts';
import { highlightName } from './highlight.ts';
import { labelsOf } from './labels.ts';
import type { PlaceFilter } from './place-filter.ts';
import type { PlaceRecords } from './place-records.ts';
import { typedBits } from './readings.ts';
import type { Searched } from './search.ts';
import type { TopHits } from './top-hits.ts';
import { isTwin } from './twins.ts';

export interface WriteFacts {
  readonly searched: Searched;
  /** Typed without accents and signs. */
  readonly isPlain: boolean;
  /** What the point adds to a place's score. */
  readonly bonus: (place: number) => number;
}

type Writable<T> = { -readonly [Key in keyof T]: T[Key] };

export class HitWriter {
  private readonly index: Index;
  private readonly records: PlaceRecords;
  private readonly filter: PlaceFilter;
  private readonly top: TopHits;

  constructor(parts: { index: Index; records: PlaceRecords; filter: PlaceFilter; top: TopHits }) {
    this.index = parts.index;
    this.records = parts.records;
    this.filter = parts.filter;
    this.top = parts.top;
  }

  write(query: SearchQuery, words: readonly Word[], facts: WriteFacts): Hit[] {
    const slots = this.pageSlots(query, facts);
    const records = slots.map((slot) => this.records.record(this.top.place[slot]!, query.language));
    const labels = labelsOf(records);
    return slots.map((slot, i) => {
      const record = records[i]!;
      const { from, to } = facts.searched.readings[this.top.reading[slot]!]!;
      const hit: Writable<Hit> = {
        record,
        score: this.top.score[slot]!,
        label: labels[i]!,
        highlight: highlightName(record.name, {
          query: query.text,
          words: to - from === words.length ? words : words.slice(from, to),
          isMisspelt: this.top.typos[slot]! > 0,
        }),
      };
      if (query.around !== undefined) hit.distanceMeters = metersTo(record, query.around);
      const matched = this.matchedName(slot, record, query.language !== undefined);
      if (matched !== undefined) hit.matchedName = matched;
      if (query.explain) hit.ranking = this.ranking(slot, slots[i + 1], { query, words, facts, record });
      return hit;
    });
  }

  /** What had to be done to the query for the best hit to match. */
  degraded(query: SearchQuery, words: readonly Word[], searched: Searched): DegradedQuery | undefined {
    const { top } = this;
    if (top.count === 0) return undefined;
    const slot = top.order[0]!;
    const place = top.place[slot]!;
    const reading = searched.readings[top.reading[slot]!]!;
    const typos = top.typos[slot]!;
    if (typos === 0 && searched.missingWords.length === 0 && reading.regions.every(({ isExact }) => isExact)) {
      return undefined;
    }
    return degradedQuery(query.text, words, {
      record: this.records.record(place, query.language),
      reading,
      name: this.records.name(place, this.nameOrdinal(place, top.posting[slot]!)).value,
      typos,
      missing: searched.missingWords,
    });
  }

  /** The best candidates but twins, and those that must be shown, in the place of the last if need be. */
  private pageSlots(query: SearchQuery, { searched }: WriteFacts): number[] {
    const { top, index, records } = this;
    const slots: number[] = [];
    const places: number[] = [];
    for (let rank = 0; rank < top.count && slots.length < query.limit; rank++) {
      const slot = top.order[rank]!;
      const place = top.place[slot]!;
      if (isTwin(index, records, place, places)) continue;
      slots.push(slot);
      places.push(place);
    }
    if (query.radiusMeters !== undefined) return slots;
    const missing = searched.kept.filter((slot) => !slots.includes(slot)).slice(0, query.limit);
    if (missing.length === 0) return slots;
    const shown = slots.filter((slot) => searched.kept.includes(slot));
    const others = slots.filter((slot) => !searched.kept.includes(slot));
    const room = query.limit - shown.length - missing.length;
    return [...others.slice(0, Math.max(0, room)), ...shown, ...missing]
      .slice(0, query.limit)
      .sort((a, b) => top.score[b]! - top.score[a]! || top.place[a]! - top.place[b]!);
  }

  /** `isTranslated`: the name shown may not be the main one. */
  private matchedName(slot: number, record: PlaceRecord, isTranslated: boolean): MatchedName | undefined {
    const { top, records } = this;
    const place = top.place[slot]!;
    const ordinal = this.nameOrdinal(place, top.posting[slot]!);
    if (ordinal === 0 && !isTranslated) return undefined;
    const name = records.name(place, ordinal);
    if (fold(name.value) === fold(record.name)) return undefined;
    return {
      value: name.value,
      ...(name.language === '' ? {} : { language: name.language }),
      typos: top.typos[slot]!,
    };
  }

  /** Which of the place's names a posting came from. */
  private nameOrdinal(place: number, posting: number): number {
    const { placePostings, postingOf, postingName } = this.index;
    for (let slot = placePostings[place]!; slot < placePostings[place + 1]!; slot++) {
      if (postingOf[slot] === posting) return postingName[slot]!;
    }
    return 0;
  }

  private ranking(
    slot: number,
    nextSlot: number | undefined,
    {
      query,
      words,
      facts,
      record,
    }: { query: SearchQuery; words: readonly Word[]; facts: WriteFacts; record: PlaceRecord },
  ) {
    const { top, index } = this;
    const standing = (of: number) => {
      const reading = facts.searched.readings[top.reading[of]!]!;
      return standingOf(index, top, of, {
        nearness: facts.bonus(top.place[of]!),
        typed: typedBits(reading, facts.isPlain),
        otherName: reading.otherName,
      });
    };
    const laterWord = standing(slot).criteria.position !== 0;
    return rankingOf({
      top,
      slot,
      standing: standing(slot),
      next: nextSlot === undefined ? undefined : standing(nextSlot),
      words: words.length - facts.searched.missingWords.length,
      filters: this.filter.count,
      firstMatchedWord: laterWord ? 1 : 0,
      geoDistanceMeters: query.around === undefined ? 0 : metersTo(record, query.around),
    });
  }
}

function metersTo({ lat, lng }: PlaceRecord, from: { readonly lat: number; readonly lng: number }): number {
  return distanceMeters(from.lat, from.lng, lat, lng);
}
