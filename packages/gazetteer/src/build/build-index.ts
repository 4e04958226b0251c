/** Builds the bytes of an index file. They are the same in whatever order the places come. */

import { Interner } from 'toponym-engine/collections/sets';
import type { Index, Meta, Sections } from 'toponym-engine/index-file/layout';
import type { Gazetteer, SourceReport } from 'toponym-engine/place/place';
import { releaseHeap } from 'toponym-files/release-heap';
import { encodeIndex } from './encode-index.ts';
import { buildKdTree } from './kd-tree.ts';
import { type MergeCounts, mergePlaces, unmergedPlaces } from './merge/merge-places.ts';
import { findRetiredIds, type RetiredId } from './merge/retired-ids.ts';
import type { NameSections } from './names/name-index.ts';
import { NameIndexing } from './names/name-indexing.ts';
import { buildRegionIndex } from './names/region-index.ts';
import { PlaceStore } from './place-store.ts';
import { type RankedPlaces, rankPlaces } from './rank-places.ts';
import { buildRecords } from './records.ts';
import { StringPool } from './string-pool.ts';
import { buildSuburbSections } from './suburb-cities.ts';

const PLACES_PER_PROGRESS_REPORT = 10_000;

export interface BuildReport {
  readonly source: SourceReport;
  readonly places: number;
  readonly names: number;
  readonly bytes: number;
  readonly merged: MergeCounts;
  readonly retired: number;
}

type Stage = 'reading' | 'merging' | 'finding retired ids' | 'sorting' | 'indexing names' | 'sorting keys' | 'writing';

/** `done` and `total` count places, or keys in the stage 'sorting keys'. */
type OnProgress = (progress: { readonly stage: Stage; readonly done: number; readonly total?: number }) => void;

interface BuildOptions {
  /** The index to be replaced. Its ids that are no longer in use become retired ids. */
  readonly previous?: Index | undefined;
}

export async function buildIndex(
  gazetteer: Gazetteer,
  onProgress: OnProgress = () => {},
  { previous }: BuildOptions = {},
): Promise<{ chunks: Uint8Array[]; report: BuildReport }> {
  const names = new NameIndexing({
    onRows: (done, total) => onProgress({ stage: 'indexing names', done, total }),
    onKeys: (keys) => onProgress({ stage: 'sorting keys', done: 0, total: keys }),
  });
  try {
    const store = await readPlaces(gazetteer, names, onProgress);
    const merged = gazetteer.isMerged
      ? unmergedPlaces(store)
      : mergePlaces(store, (done, total) => onProgress({ stage: 'merging', done, total }));
    names.addRows(store);
    if (names.hasThread) releaseHeap('last-resort');
    const retired = findRetiredIds(store, merged, {
      retiredIds: gazetteer.retiredIds,
      previous,
      onProgress: (done, total) => onProgress({ stage: 'finding retired ids', done, total }),
    });
    onProgress({ stage: 'sorting', done: 0, total: merged.rows.length });
    const ranked = rankPlaces(store, merged.rows);
    const nameSections = names.finish(ranked);
    const sections = { ...buildSections(gazetteer, ranked, retired), ...(await nameSections) };
    onProgress({ stage: 'writing', done: 0 });
    const chunks = encodeIndex(sections);
    return {
      chunks,
      report: {
        source: gazetteer.report,
        places: merged.rows.length,
        names: sections.nameText.length,
        bytes: chunks.reduce((sum, chunk) => sum + chunk.length, 0),
        merged: merged.counts,
        retired: retired.length,
      },
    };
  } finally {
    await names.close();
  }
}

async function readPlaces(gazetteer: Gazetteer, names: NameIndexing, onProgress: OnProgress): Promise<PlaceStore> {
  const store = new PlaceStore();
  for await (const place of gazetteer.places) {
    store.add(place);
    if (store.length % PLACES_PER_PROGRESS_REPORT !== 0) continue;
    onProgress({ stage: 'reading', done: store.length });
    names.addRows(store);
  }
  return store;
}

/** All sections except those of names to search for. */
function buildSections(
  gazetteer: Gazetteer,
  ranked: RankedPlaces,
  retired: readonly RetiredId[],
): Omit<Sections, keyof NameSections> {
  const strings = new StringPool();
  const languages = new Interner();
  const usedKeys = new Set<string>();
  const { store, rows } = ranked;
  for (const row of rows) usedKeys.add(store.country(row)).add(store.admin1(row)).add(store.admin2(row));
  const regions = buildRegionIndex(gazetteer.countries, gazetteer.regions, { usedKeys, strings, languages });
  const records = buildRecords(ranked, { regions, strings, languages, retired });
  const suburbs = buildSuburbSections(ranked, strings);
  const tree = buildKdTree(records.sections.placeLatE7, records.sections.placeLngE7);
  const meta: Meta = {
    version: gazetteer.version,
    attribution: gazetteer.attribution,
    places: rows.length,
    names: records.sections.nameText.length,
    countries: regions.countryCodes,
    timezones: records.timezones,
    languages: languages.strings,
  };
  return {
    meta: new Uint8Array(Buffer.from(JSON.stringify(meta))),
    ...records.sections,
    ...suburbs,
    ...regions.sections,
    treeIds: tree.ids,
    treeCoords: tree.coords,
    texts: strings.view(),
  };
}
