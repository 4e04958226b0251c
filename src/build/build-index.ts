/**
 * A gazetteer to the bytes of an index file. Pure and deterministic: the same places give the same bytes, in
 * whatever order they come.
 */

import type { Meta, Sections } from '../index-file/layout.ts';
import { encodeIndex } from '../index-file/write-index.ts';
import type { Gazetteer, SourceReport } from '../place/gazetteer.ts';
import { NAME_KINDS, PLACE_TYPES, type Place } from '../place/place.ts';
import { importanceOf } from './importance.ts';
import { buildKdTree } from './kd-tree.ts';
import { buildNameIndex, byCodeUnits } from './name-index.ts';
import { buildRegionIndex, type RegionTable } from './region-index.ts';
import { TextHeap } from './text-heap.ts';

export interface BuildReport {
  readonly source: SourceReport;
  readonly places: number;
  readonly names: number;
  readonly bytes: number;
}

export interface BuildProgress {
  readonly stage: 'reading' | 'sorting' | 'names' | 'writing';
  readonly done: number;
  readonly total?: number;
}

export async function buildIndex(
  gazetteer: Gazetteer,
  onProgress: (progress: BuildProgress) => void = () => {},
): Promise<{ bytes: Uint8Array[]; report: BuildReport }> {
  const places = await readPlaces(gazetteer, onProgress);
  onProgress({ stage: 'sorting', done: 0, total: places.length });
  const ranked = rankPlaces(places);
  const texts = new TextHeap();
  const regions = regionsOf(ranked.places, gazetteer, texts);
  const records = recordSections(ranked, regions, texts);
  onProgress({ stage: 'names', done: 0, total: records.names.nameText.length });
  const names = buildNameIndex(ranked.places, records.fixed.placeImportance);
  const tree = buildKdTree(records.fixed.placeLatE7, records.fixed.placeLngE7);
  const head: Meta = {
    version: gazetteer.version,
    attribution: gazetteer.attribution,
    places: places.length,
    names: records.names.nameText.length,
    countries: regions.countryCodes,
    timezones: records.timezones,
    languages: records.languages,
    ...(gazetteer.replaces === undefined ? {} : { replaces: gazetteer.replaces }),
  };
  const sections: Sections = {
    meta: new Uint8Array(Buffer.from(JSON.stringify(head))),
    ...records.fixed,
    ...records.names,
    ...regions.sections,
    ...names,
    treeIds: tree.ids,
    treeCoords: tree.coords,
    texts: texts.toArray(),
  };
  onProgress({ stage: 'writing', done: 0 });
  const bytes = encodeIndex(sections);
  const size = bytes.reduce((sum, piece) => sum + piece.length, 0);
  return { bytes, report: { source: gazetteer.report, places: places.length, names: head.names, bytes: size } };
}

async function readPlaces(gazetteer: Gazetteer, onProgress: (progress: BuildProgress) => void): Promise<Place[]> {
  const places: Place[] = [];
  for await (const place of gazetteer.places) {
    places.push(place);
    if (places.length % 10_000 === 0) onProgress({ stage: 'reading', done: places.length });
  }
  return places;
}

interface RankedPlaces {
  readonly places: readonly Place[];
  /** 0..65535 */
  readonly importance: Uint16Array;
}

/** Dense ids: by importance, then by id, so that they do not depend on the order of the source. */
function rankPlaces(places: readonly Place[]): RankedPlaces {
  const scored = places.map((place) => ({ place, importance: Math.round(importanceOf(place) * 0xffff) }));
  scored.sort((a, b) => b.importance - a.importance || byCodeUnits(a.place.id, b.place.id));
  return {
    places: scored.map(({ place }) => place),
    importance: Uint16Array.from(scored, ({ importance }) => importance),
  };
}

function regionsOf(places: readonly Place[], gazetteer: Gazetteer, texts: TextHeap): RegionTable {
  const used = new Set<string>();
  for (const { country, admin1, admin2 } of places) {
    used.add(country);
    if (admin1 !== undefined) used.add(admin1);
    if (admin2 !== undefined) used.add(admin2);
  }
  return buildRegionIndex(gazetteer.countries, gazetteer.regions, { isUsed: (key) => used.has(key), texts });
}

function recordSections({ places, importance }: RankedPlaces, regions: RegionTable, texts: TextHeap) {
  const timezones = new Numbering();
  const languages = new Numbering();
  const column = <T extends ArrayLike<number>>(from: (places: Iterable<Place>, map: (place: Place) => number) => T) => {
    return (map: (place: Place) => number) => from(places, map);
  };
  const u8 = column((all, map) => Uint8Array.from(all, map));
  const u16 = column((all, map) => Uint16Array.from(all, map));
  const u32 = column((all, map) => Uint32Array.from(all, map));
  const i32 = column((all, map) => Int32Array.from(all, map));
  const f64 = column((all, map) => Float64Array.from(all, map));
  const regionId = (key: string | undefined) => (key === undefined ? 0 : (regions.idOf.get(key) ?? 0));
  const fixed = {
    placeSource: u8(({ id }) => id.charCodeAt(0)),
    placeNumber: f64(({ id }) => Number(id.slice(1))),
    placeType: u8(({ type }) => PLACE_TYPES.indexOf(type)),
    placeLatE7: i32(({ lat }) => Math.round(lat * 1e7)),
    placeLngE7: i32(({ lng }) => Math.round(lng * 1e7)),
    placeImportance: importance,
    placePopulation: u32(({ population }) => Math.min(population ?? 0, 0xffff_ffff)),
    placeTimezone: u16(({ timezone }) => timezones.of(timezone ?? '')),
    placeCountry: u16(({ country }) => regionId(country)),
    placeAdmin1: u32(({ admin1 }) => regionId(admin1)),
    placeAdmin2: u32(({ admin2 }) => regionId(admin2)),
    placeByNumber: idsByNumber(places),
  };
  return {
    fixed,
    names: nameTables(places, languages, texts),
    timezones: timezones.all,
    languages: languages.all,
  };
}

function nameTables(places: readonly Place[], languages: Numbering, texts: TextHeap) {
  const count = places.reduce((sum, { names }) => sum + names.length, 0);
  const placeNames = new Uint32Array(places.length + 1);
  const nameText = new Uint32Array(count);
  const nameLanguage = new Uint16Array(count);
  const nameKind = new Uint8Array(count);
  let next = 0;
  places.forEach(({ names }, id) => {
    for (const { value, language, kind } of names) {
      nameText[next] = texts.add(value);
      nameLanguage[next] = languages.of(language ?? '');
      nameKind[next] = NAME_KINDS.indexOf(kind);
      next++;
    }
    placeNames[id + 1] = next;
  });
  return { placeNames, nameText, nameLanguage, nameKind };
}

function idsByNumber(places: readonly Place[]): Uint32Array {
  const letter = (id: number) => places[id]!.id.charCodeAt(0);
  const number = (id: number) => Number(places[id]!.id.slice(1));
  return Uint32Array.from(places.keys()).sort((a, b) => letter(a) - letter(b) || number(a) - number(b));
}

/** Texts to small numbers in the order of first use; 0 is "none". */
class Numbering {
  readonly all: string[] = [''];
  private readonly known = new Map([['', 0]]);

  of(text: string): number {
    let number = this.known.get(text);
    if (number === undefined) {
      number = this.all.push(text) - 1;
      this.known.set(text, number);
    }
    return number;
  }
}
