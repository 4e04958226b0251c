/**
 * Builds the sections that describe places: packed records, columns, names, retired ids, external
 * ids and extents. `id` alone is a dense id here.
 */
import { Interner } from 'toponym-engine/collections/sets';
import { fillWith, GrowingArray, sequence, type TypedArray } from 'toponym-engine/collections/typed-array';
import type { Sections } from 'toponym-engine/index-file/layout';
import { RECORD_WORDS, writePackedRecord } from 'toponym-engine/index-file/packed-record';
import { PLACE_TYPES } from 'toponym-engine/place/place';
import { compareIds } from './merge/place-ids.ts';
import type { RetiredId } from './merge/retired-ids.ts';
import { shownName } from './names/local-names.ts';
import type { RegionTable } from './names/region-index.ts';
import type { RankedPlaces } from './rank-places.ts';
import type { StringPool } from './string-pool.ts';

export function buildRecords(
  ranked: RankedPlaces,
  tables: { regions: RegionTable; strings: StringPool; languages: Interner; retired: readonly RetiredId[] },
) {
  const { regions, strings, languages, retired } = tables;
  const timezones = new Interner();
  const names = nameSections(ranked, languages, strings);
  return {
    sections: {
      ...placeSections(ranked, { regions, timezones, names }),
      ...names,
      ...retiredSections(ranked, retired),
      ...externalSections(ranked, strings),
      ...extentSections(ranked),
      ...airportSections(ranked),
    },
    timezones: timezones.strings,
  };
}

function placeSections(
  ranked: RankedPlaces,
  tables: { regions: RegionTable; timezones: Interner; names: Pick<Sections, 'placeNames' | 'nameText'> },
) {
  const { regions, timezones, names } = tables;
  const { store, rows } = ranked;
  const count = rows.length;
  const column = <A extends TypedArray>(array: A, read: (row: number) => number) =>
    fillWith(array, (id) => read(rows[id]!));
  const regionId = (key: string) => regions.idByKey.get(key) ?? 0;
  const countryIds = store.countryCodes.strings.map(regionId);
  const divisionIds = store.regionKeys.strings.map(regionId);
  const columns = {
    placeType: column(new Uint8Array(count), (row) => PLACE_TYPES.indexOf(store.type(row))),
    placeLatE7: column(new Int32Array(count), (row) => store.latE7(row)),
    placeLngE7: column(new Int32Array(count), (row) => store.lngE7(row)),
    placeImportance: ranked.importance,
    placeRank: column(new Uint8Array(count), (row) => store.adminRank(row)),
    placeCountry: column(new Uint16Array(count), (row) => countryIds[store.countryNumber(row)]!),
    placeAdmin1: column(new Uint32Array(count), (row) => divisionIds[store.admin1Number(row)]!),
    placeAdmin2: column(new Uint32Array(count), (row) => divisionIds[store.admin2Number(row)]!),
    placeByNumber: sequence(count).sort((a, b) => compareIds(store, rows[a]!, rows[b]!)),
  };
  const regionCount = regions.sections.regionText.length;
  const packedRecords = new Uint32Array(count * RECORD_WORDS);
  rows.forEach((row, id) => {
    writePackedRecord(packedRecords, id, {
      idLetter: store.idLetter(row),
      idNumber: store.idNumber(row),
      type: columns.placeType[id]!,
      latE7: columns.placeLatE7[id]!,
      lngE7: columns.placeLngE7[id]!,
      population: store.population(row) ?? 0,
      shownNameOffset: names.nameText[names.placeNames[id]! + shownName(store.country(row), () => store.names(row))]!,
      admin2: columns.placeAdmin2[id]!,
      importance: ranked.importance[id]!,
      timezone: timezones.intern(store.timezone(row)),
    });
  });
  return { packedRecords, ...columns, ...regionPlaceSections(columns, regionCount) };
}

/** Lists the places of every region. A place is in up to three: country, first and second division. */
export function regionPlaceSections(
  { placeCountry, placeAdmin1, placeAdmin2 }: Pick<Sections, 'placeCountry' | 'placeAdmin1' | 'placeAdmin2'>,
  regionCount: number,
): Pick<Sections, 'regionPlaceStart' | 'regionPlaces'> {
  const columns = [placeCountry, placeAdmin1, placeAdmin2];
  const regionPlaceStart = new Uint32Array(regionCount + 1);
  for (const column of columns) {
    for (const region of column) if (region !== 0) regionPlaceStart[region + 1]!++;
  }
  for (let region = 0; region < regionCount; region++) regionPlaceStart[region + 1]! += regionPlaceStart[region]!;
  const regionPlaces = new Uint32Array(regionPlaceStart[regionCount]!);
  const next = regionPlaceStart.slice();
  for (let place = 0; place < placeCountry.length; place++) {
    for (const column of columns) {
      const region = column[place]!;
      if (region !== 0) regionPlaces[next[region]!++] = place;
    }
  }
  return { regionPlaceStart, regionPlaces };
}

function nameSections({ store, rows }: RankedPlaces, languages: Interner, strings: StringPool) {
  const count = store.nameCount(rows);
  const placeNames = new Uint32Array(rows.length + 1);
  const nameText = new Uint32Array(count);
  const nameLanguage = new Uint16Array(count);
  const nameKind = new Uint8Array(count);
  const languageIds: number[] = []; // by number in the store
  let next = 0;
  rows.forEach((row, id) => {
    for (let name = store.nameStart(row); name < store.nameEnd(row); name++) {
      nameText[next] = strings.addFrom(store.nameTexts, store.nameOffset(name));
      const language = store.nameLanguageNumber(name);
      nameLanguage[next] = languageIds[language] ??= languages.intern(store.nameLanguage(name));
      nameKind[next] = store.nameKind(name);
      next++;
    }
    placeNames[id + 1] = next;
  });
  return { placeNames, nameText, nameLanguage, nameKind };
}

function retiredSections({ store, rows }: RankedPlaces, retired: readonly RetiredId[]) {
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

function externalSections({ store, rows }: RankedPlaces, strings: StringPool) {
  const places = new GrowingArray(Uint32Array);
  const offsets = new GrowingArray(Uint32Array);
  rows.forEach((row, id) => {
    for (const offset of store.externalIdOffsets(row)) {
      places.push(id);
      offsets.push(strings.addFrom(store.externalIds, offset));
    }
  });
  return { externalPlace: places.toArray(), externalText: offsets.toArray() };
}

function extentSections({ store, rows }: RankedPlaces) {
  const places = new GrowingArray(Uint32Array);
  const boxesE7 = new GrowingArray(Int32Array);
  rows.forEach((row, id) => {
    const boxE7 = store.boxE7(row);
    if (boxE7 === undefined) return;
    places.push(id);
    boxesE7.pushAll(boxE7);
  });
  return { extentPlace: places.toArray(), extentE7: boxesE7.toArray() };
}

function airportSections({ store, rows }: RankedPlaces) {
  const places = new GrowingArray(Uint32Array);
  const pointsE7 = new GrowingArray(Int32Array);
  rows.forEach((row, id) => {
    for (const { lat, lng } of store.airportsOf(row)) {
      places.push(id);
      pointsE7.push(Math.round(lat * 1e7));
      pointsE7.push(Math.round(lng * 1e7));
    }
  });
  return { airportPlace: places.toArray(), airportE7: pointsE7.toArray() };
}
