/**
 * Merges the records that several sources have of the same settlement. A group of merged records
 * has at most one record per source, because two records of one source are two places.
 */
import { sequence } from 'toponym-engine/collections/typed-array';
import { isInBox } from 'toponym-engine/place/bounding-box';
import { definedFields, type Place, type PlaceName } from 'toponym-engine/place/place';
import type { PlaceStore } from '../place-store.ts';
import { findPairs, isCostBySharedId, type PairOptions } from './find-pairs.ts';
import { compareByTrust, readId, sourceBit, sourceRank } from './place-ids.ts';

export interface MergeCounts {
  readonly bySharedId: number;
  readonly byName: number;
}

export interface MergedPlaces {
  /** Records that were not merged, then the rows added for groups. */
  readonly rows: Uint32Array;
  /** For each row whose id was dropped, the added row that replaces it. */
  readonly absorbed: ReadonlyMap<number, number>;
  readonly counts: MergeCounts;
}

export function unmergedPlaces(store: PlaceStore): MergedPlaces {
  return { rows: sequence(store.length), absorbed: new Map(), counts: { bySharedId: 0, byName: 0 } };
}

/** Adds a row to the store for each group of merged records. */
export function mergePlaces(store: PlaceStore, onProgress: PairOptions['onProgress']): MergedPlaces {
  const firstMergedRow = store.length;
  const all = sequence(firstMergedRow);
  const isOneSource = all.every((row) => sourceRank(store.idLetter(row)) === sourceRank(store.idLetter(0)));
  if (isOneSource) return unmergedPlaces(store);
  const { groups, counts } = groupRows(store, all, onProgress);
  const absorbed = new Map<number, number>();
  const isReplaced = new Uint8Array(firstMergedRow);
  for (const group of groups) {
    const [mostTrusted, ...others] = group.sort((a, b) => compareByTrust(readId(store, a), readId(store, b)));
    const merged = store.add(mergeRecords([store.place(mostTrusted!), ...others.map((row) => store.place(row))]));
    for (const row of group) isReplaced[row] = 1;
    for (const row of others) absorbed.set(row, merged); // the id of `mostTrusted` is kept
  }
  const rows = sequence(store.length).filter((row) => row >= firstMergedRow || isReplaced[row] === 0);
  return { rows, absorbed, counts };
}

function groupRows(
  store: PlaceStore,
  rows: Uint32Array,
  onProgress: PairOptions['onProgress'],
): { groups: number[][]; counts: MergeCounts } {
  const sourceBitOf = (row: number) => sourceBit(store.idLetter(row));
  const pairs = findPairs(store, rows, { datasetBit: sourceBitOf, onProgress });
  const groupByRow = new Map<number, { rows: number[]; sourceBits: number }>();
  const counts = { bySharedId: 0, byName: 0 };
  for (const { a, b, cost } of pairs) {
    const groupA = groupByRow.get(a) ?? { rows: [a], sourceBits: sourceBitOf(a) };
    const groupB = groupByRow.get(b) ?? { rows: [b], sourceBits: sourceBitOf(b) };
    // skips groups with a common source, and two rows of one group
    if ((groupA.sourceBits & groupB.sourceBits) !== 0) continue;
    const joined = { rows: [...groupA.rows, ...groupB.rows], sourceBits: groupA.sourceBits | groupB.sourceBits };
    for (const row of joined.rows) groupByRow.set(row, joined);
    counts[isCostBySharedId(cost) ? 'bySharedId' : 'byName']++;
  }
  return { groups: [...new Set(groupByRow.values())].map((group) => group.rows), counts };
}

/** Merges each field by the rules of the table in docs/data.md. Expects the most trusted record first. */
export function mergeRecords(records: readonly [Place, ...Place[]]): Place {
  const [first] = records;
  const withPopulation = records.find(({ population }) => (population ?? 0) > 0);
  const withDivisions = records.find(({ admin1 }) => admin1 !== undefined);
  const edgeAirports = records.flatMap((record) => record.edgeAirports ?? []);
  const externalIds = [...new Set(records.flatMap((record) => record.externalIds ?? []))];
  return {
    id: first.id,
    // the type of a place of unknown population is a guess
    type: (withPopulation ?? first).type,
    names: mergeNames(records),
    lat: first.lat,
    lng: first.lng,
    country: first.country,
    adminRank: Math.max(...records.map(({ adminRank }) => adminRank)),
    ...definedFields({
      admin1: withDivisions?.admin1,
      admin2: withDivisions?.admin2,
      population: withPopulation?.population ?? first.population,
      timezone: records.find(({ timezone }) => timezone !== undefined)?.timezone,
      importance: records.find(({ importance }) => importance !== undefined)?.importance,
      externalIds: externalIds.length === 0 ? undefined : externalIds,
      box: records.find(({ box }) => box && isInBox(box, first.lat, first.lng))?.box,
      edgeAirports: edgeAirports.length === 0 ? undefined : edgeAirports,
    }),
  };
}

function mergeNames([first, ...others]: readonly [Place, ...Place[]]): PlaceName[] {
  const names: PlaceName[] = [...first.names];
  for (const name of others.flatMap((place) => place.names)) mergeNameInto(names, name);
  return names;
}

function mergeNameInto(names: PlaceName[], name: PlaceName): void {
  const { value, kind, language } = name;
  const sameText = [...names.keys()].filter((i) => names[i]!.value === value);
  const sameLanguage = sameText.find((i) => names[i]!.language === language);
  // the main name never gets a language, because it serves requests without a language
  const noLanguage = sameText.find((i) => i > 0 && names[i]!.language === undefined);
  const at = sameLanguage ?? noLanguage;
  if (at !== undefined) {
    const existing = names[at]!;
    // any kind is more certain than `romanized`, but only the first name may be `main`
    const isMoreCertain = existing.kind === 'romanized' && kind !== 'main';
    const knownLanguage = existing.language ?? language;
    names[at] = {
      value,
      kind: isMoreCertain ? kind : existing.kind,
      ...(knownLanguage === undefined ? {} : { language: knownLanguage }),
    };
  } else if (sameText.length === 0 || language !== undefined) {
    names.push(kind === 'main' ? { ...name, kind: 'alternate' } : name);
  }
}
