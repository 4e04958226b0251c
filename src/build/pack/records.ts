/**
 * Builds the sections with the data that hits display: packed records and columns by dense id,
 * names, retired ids and external ids.
 */
import { GrowingArray } from '../../collections/growing-array.ts';
import { Interner } from '../../collections/interner.ts';
import { fillWith, sequence } from '../../collections/typed-array.ts';
import type { Sections } from '../../index-file/layout.ts';
import { RECORD_LAYOUT, writePackedRecord } from '../../index-file/packed-record.ts';
import { PLACE_TYPES } from '../../place/place.ts';
import { compareIds } from '../merge/id-lookup.ts';
import type { RetiredId } from '../merge/retired-ids.ts';
import type { RegionTable } from '../names/region-index.ts';
import type { RankedPlaces } from '../rank-places.ts';
import type { StringPool } from './string-pool.ts';

export interface RecordTables {
  readonly sections: PlaceSections & NameTables & RetiredSections & ExternalSections;
  readonly timezones: readonly string[];
  readonly languages: readonly string[];
}

type PlaceSections = Pick<
  Sections,
  | 'placeCards'
  | 'placeType'
  | 'placeLatE7'
  | 'placeLngE7'
  | 'placeImportance'
  | 'placeRank'
  | 'placeCountry'
  | 'placeAdmin1'
  | 'placeAdmin2'
  | 'placeByNumber'
>;
type NameTables = Pick<Sections, 'placeNames' | 'nameText' | 'nameLanguage' | 'nameKind'>;
type RetiredSections = Pick<Sections, 'retiredSource' | 'retiredNumber' | 'retiredPlace'>;
type ExternalSections = Pick<Sections, 'externalPlace' | 'externalText'>;

interface RecordInputs {
  readonly regions: RegionTable;
  readonly strings: StringPool;
  readonly retired: readonly RetiredId[];
}

export function buildRecords(ranked: RankedPlaces, { regions, strings, retired }: RecordInputs): RecordTables {
  const timezones = new Interner();
  const languages = new Interner();
  const names = nameTables(ranked, languages, strings);
  return {
    sections: {
      ...placeTables(ranked, { regions, timezones, names }),
      ...names,
      ...retiredColumns(ranked, retired),
      ...externalColumns(ranked, strings),
    },
    timezones: timezones.strings,
    languages: languages.strings,
  };
}

function placeTables(
  ranked: RankedPlaces,
  { regions, timezones, names }: { regions: RegionTable; timezones: Interner; names: NameTables },
): PlaceSections {
  const { store, rows } = ranked;
  const count = rows.length;
  const u32 = (read: (row: number) => number) => fillWith(new Uint32Array(count), (id) => read(rows[id]!));
  const i32 = (read: (row: number) => number) => fillWith(new Int32Array(count), (id) => read(rows[id]!));
  const regionId = (key: string) => regions.idByKey.get(key) ?? 0;
  const columns = {
    placeType: fillWith(new Uint8Array(count), (id) => PLACE_TYPES.indexOf(store.type(rows[id]!))),
    placeLatE7: i32((row) => store.latE7(row)),
    placeLngE7: i32((row) => store.lngE7(row)),
    placeImportance: ranked.importance,
    placeRank: fillWith(new Uint8Array(count), (id) => store.adminRank(rows[id]!)),
    placeCountry: fillWith(new Uint16Array(count), (id) => regionId(store.country(rows[id]!))),
    placeAdmin1: u32((row) => regionId(store.admin1(row))),
    placeAdmin2: u32((row) => regionId(store.admin2(row))),
    placeByNumber: sequence(count).sort((a, b) => compareIds(store, rows[a]!, rows[b]!)),
  };
  const placeCards = new Uint32Array(count * RECORD_LAYOUT.words);
  rows.forEach((row, id) => {
    writePackedRecord(placeCards, id, {
      source: store.letter(row),
      number: store.number(row),
      type: columns.placeType[id]!,
      latE7: columns.placeLatE7[id]!,
      lngE7: columns.placeLngE7[id]!,
      population: Math.min(store.population(row) ?? 0, 0xffff_ffff),
      name: names.nameText[names.placeNames[id]!]!,
      admin2: columns.placeAdmin2[id]!,
      importance: ranked.importance[id]!,
      timezone: timezones.intern(store.timezone(row)),
    });
  });
  return { placeCards, ...columns };
}

function nameTables({ store, rows }: RankedPlaces, languages: Interner, strings: StringPool): NameTables {
  const count = rows.reduce((sum, row) => sum + store.nameEnd(row) - store.nameStart(row), 0);
  const placeNames = new Uint32Array(rows.length + 1);
  const nameText = new Uint32Array(count);
  const nameLanguage = new Uint16Array(count);
  const nameKind = new Uint8Array(count);
  let next = 0;
  rows.forEach((row, id) => {
    for (let name = store.nameStart(row); name < store.nameEnd(row); name++) {
      nameText[next] = strings.addFrom(store.strings, store.nameText(name));
      nameLanguage[next] = languages.intern(store.nameLanguage(name));
      nameKind[next] = store.nameKind(name);
      next++;
    }
    placeNames[id + 1] = next;
  });
  return { placeNames, nameText, nameLanguage, nameKind };
}

function retiredColumns({ store, rows }: RankedPlaces, retired: readonly RetiredId[]): RetiredSections {
  const idOfRow = new Uint32Array(store.length);
  rows.forEach((row, id) => {
    idOfRow[row] = id;
  });
  return {
    retiredSource: fillWith(new Uint8Array(retired.length), (i) => retired[i]!.letter),
    retiredNumber: fillWith(new Float64Array(retired.length), (i) => retired[i]!.number),
    retiredPlace: fillWith(new Uint32Array(retired.length), (i) => idOfRow[retired[i]!.row]!),
  };
}

function externalColumns({ store, rows }: RankedPlaces, strings: StringPool): ExternalSections {
  const places = new GrowingArray(Uint32Array);
  const offsets = new GrowingArray(Uint32Array);
  rows.forEach((row, id) => {
    for (const text of store.externalIdTexts(row)) {
      places.push(id);
      offsets.push(strings.addFrom(store.strings, text));
    }
  });
  return { externalPlace: places.toArray(), externalText: offsets.toArray() };
}
