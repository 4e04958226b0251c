/** Reads records and names of places from the index. */

import { lowerBound } from '../collections/sorting.ts';
import type { MatchedRegion, PlaceRecord, RecordRegions } from '../engine.ts';
import { type Index, MAX_IMPORTANCE } from '../index-file/layout.ts';
import {
  findPlace,
  readAdmin2,
  readExtent,
  readImportance,
  readLatE7,
  readLngE7,
  readMainNameOffset,
  readObjectId,
  readPopulation,
  readShownNameOffset,
  readText,
  readTimezone,
  readType,
} from '../index-file/packed-record.ts';
import { boxAround } from '../place/bounding-box.ts';
import { onlyLatinLanguage } from '../place/country-language.ts';
import { NAME_KINDS, type NameKind, PLACE_TYPES, SUBURBAN_AREA } from '../place/place.ts';
import { settlementRadiusMeters } from '../place/settlement-radius.ts';
import { createTextReader, type TextReader } from '../text/utf8.ts';
import { DisplayLanguage } from './display-language.ts';
import { COUNTRIES_WITH_DIVISION, formatLabelEnd, isSameName } from './labels.ts';
import { StoredText } from './stored-text.ts';

/** Clients choose the language tags, so the cache of languages must be bounded. */
const MAX_CACHED_LANGUAGES = 500;

type CachedRegions = RecordRegions & { readonly countryId: number; readonly admin1Id: number };

export interface StoredName {
  readonly value: StoredText;
  /** BCP 47 tag; empty if unknown. */
  readonly language: string;
}

export class PlaceRecords {
  private readonly index: Index;
  private readonly readText: TextReader;
  private readonly languageIds: ReadonlyMap<string, number>;
  /** Ids of the language that most people speak, by country id. Empty if no name has it. */
  private readonly localLanguageIds = new Map<number, readonly number[]>();
  private readonly englishId: number | undefined;
  /** Names by region id, as far as they were read. */
  private readonly regionNames: (string | undefined)[];
  private readonly displayLanguages = new Map<string, DisplayLanguage>();
  /** Regions by the id of the smallest one, for records without a language. */
  private readonly cachedRegions: (CachedRegions | undefined)[];
  /** Cities by the offset of the object id in `texts`. */
  private readonly cityPlaces = new Map<number, number | undefined>();

  constructor(index: Index) {
    this.index = index;
    this.cachedRegions = new Array(index.regionText.length);
    this.regionNames = new Array(index.regionText.length);
    this.readText = createTextReader(index.texts);
    this.languageIds = new Map(index.metadata.languages.map((language, id) => [language.toLowerCase(), id]));
    this.englishId = this.languageIds.get('en');
  }

  record(place: number, language: string | undefined, nameText = this.nameText(place, language)): PlaceRecord {
    const { index } = this;
    const typeId = readType(index, place);
    const type = PLACE_TYPES[typeId]!;
    const population = readPopulation(index, place);
    const lat = readLatE7(index, place) / 1e7;
    const lng = readLngE7(index, place) / 1e7;
    return {
      objectID: readObjectId(index, place),
      name: nameText.text,
      type,
      city: typeId === SUBURBAN_AREA ? this.cityName(place, language) : undefined,
      population: population === 0 ? undefined : population,
      importance: Math.round((readImportance(index, place) / MAX_IMPORTANCE) * 10_000) / 10_000,
      timezone: index.metadata.timezones[readTimezone(index, place)] || undefined,
      lat,
      lng,
      box: readExtent(index, place) ?? boxAround({ lat, lng, radiusMeters: settlementRadiusMeters(type, population) }),
      regions: this.regionsOf(place, this.displayLanguage(language)),
    };
  }

  /** The city that a suburban area belongs to, if it is known. */
  cityOf(place: number): number | undefined {
    const idOffset = this.cityIdOffset(place);
    if (idOffset === undefined) return undefined;
    if (!this.cityPlaces.has(idOffset)) {
      this.cityPlaces.set(idOffset, findPlace(this.index, this.textAt(idOffset).text));
    }
    return this.cityPlaces.get(idOffset);
  }

  /** Offset of the object id of a suburban area's city in `texts`. */
  private cityIdOffset(place: number): number | undefined {
    const { suburbPlace, suburbCity } = this.index;
    const at = lowerBound(suburbPlace.length, (i) => suburbPlace[i]! < place);
    return suburbPlace[at] === place ? suburbCity[at] : undefined;
  }

  private cityName(place: number, language: string | undefined): string | undefined {
    const city = this.cityOf(place);
    return city === undefined ? undefined : this.nameIn(city, language);
  }

  /** The name of a place in a language, or else its usual name. */
  nameIn(place: number, language: string | undefined): string {
    return this.nameText(place, language).text;
  }

  /** `matched`: which name the query matched, which is shown if the language has none. */
  nameText(place: number, language: string | undefined, matched?: number): StoredText {
    return this.displayName(place, this.displayLanguage(language), matched);
  }

  /** The regions of a place. Region id 0 stands for none, and the countries start at 1. */
  private regionsOf(place: number, language: DisplayLanguage | undefined): RecordRegions {
    const countryId = this.index.placeCountry[place]!;
    const admin1Id = this.index.placeAdmin1[place]!;
    const admin2Id = readAdmin2(this.index, place);
    const smallest = admin2Id || admin1Id || countryId;
    const cached = language === undefined ? this.cachedRegions[smallest] : undefined;
    // in some data a county is in two states, so the smallest region does not decide the others
    if (cached?.admin1Id === admin1Id && cached.countryId === countryId) return cached;
    const regions = this.createRegions({ countryId, admin1Id, admin2Id }, language);
    if (language === undefined) this.cachedRegions[smallest] = regions;
    else if (this.isDivisionNamedAfter(place, regions)) return withoutLabelDivision(regions);
    return regions;
  }

  /**
   * Whether place and division, or city and division, have the same name before they are translated.
   * Translations of a name may differ: 北京 and 北京市 are both Beijing.
   */
  private isDivisionNamedAfter(place: number, { labelDivision, admin1Id }: CachedRegions): boolean {
    if (labelDivision === undefined) return false;
    const division = this.regionName(admin1Id);
    if (isSameName(this.mainNameText(place).text, division)) return true;
    const city = readType(this.index, place) === SUBURBAN_AREA ? this.cityName(place, undefined) : undefined;
    return city !== undefined && isSameName(city, division);
  }

  private createRegions(
    { countryId, admin1Id, admin2Id }: { countryId: number; admin1Id: number; admin2Id: number },
    language: DisplayLanguage | undefined,
  ): CachedRegions {
    const code = this.index.metadata.countries[countryId - 1] ?? '';
    const country = countryId === 0 ? '' : this.regionNameIn(countryId, language);
    const countryCode = code.toLowerCase();
    const administrative = admin1Id === 0 ? [] : [this.regionNameIn(admin1Id, language)];
    const labelDivision = COUNTRIES_WITH_DIVISION.has(countryCode) ? administrative[0] : undefined;
    return {
      countryId,
      admin1Id,
      country,
      countryCode,
      administrative,
      county: admin2Id === 0 ? [] : [this.regionNameIn(admin2Id, language)],
      labelDivision,
      labelEnd: formatLabelEnd(labelDivision, country),
    };
  }

  /** The smallest of these regions that a place is in. */
  regionAmong(place: number, regions: readonly number[], languageTag: string | undefined): MatchedRegion | undefined {
    const { index } = this;
    const ofPlace = [readAdmin2(index, place), index.placeAdmin1[place]!, index.placeCountry[place]!];
    const region = ofPlace.find((id) => regions.includes(id));
    if (region === undefined) return undefined;
    return {
      name: this.regionNameIn(region, this.displayLanguage(languageTag)),
      code: readText(index, index.regionKey[region]!),
      level: index.regionLevel[region]!,
    };
  }

  mainNameText(place: number): StoredText {
    return this.textAt(readMainNameOffset(this.index, place));
  }

  /**
   * The name to show if no language is asked for: the main name, or else one that is better known.
   */
  private shownNameText(place: number): StoredText {
    return this.textAt(readShownNameOffset(this.index, place));
  }

  /**
   * The name to show: the one in the language, whatever name matched. Without one, a matched name in
   * its script if that is not Latin, or else the local name if the language is not English.
   */
  private displayName(place: number, language: DisplayLanguage | undefined, matched?: number): StoredText {
    if (language === undefined) return this.shownNameText(place);
    const name = this.firstNameIn(place, language.ids) ?? this.substitute(place, language, matched);
    if (name === undefined) return this.shownNameText(place);
    if (language.convert === undefined) return name;
    const converted = language.convert(name.text);
    return converted === name.text ? name : StoredText.of(converted);
  }

  private substitute(place: number, language: DisplayLanguage, matched: number | undefined): StoredText | undefined {
    if (!language.isNonLatin) return language.isEnglish ? undefined : this.localName(place);
    if (matched === undefined || this.isPostcode(place, matched)) return undefined;
    const { value } = this.name(place, matched);
    return language.isInScript(value.text) ? value : undefined;
  }

  /**
   * The name in the language of the country: München is nearer to Swedish than Munich. Undefined if
   * the place has an English name: then its main name is not English, but mostly local.
   */
  private localName(place: number): StoredText | undefined {
    if (this.englishId !== undefined && this.firstNameIn(place, [this.englishId]) !== undefined) return undefined;
    return this.firstNameIn(place, this.localLanguageIdsOf(this.index.placeCountry[place]!));
  }

  /** Only of languages in Latin letters, which others can read. */
  private localLanguageIdsOf(countryId: number): readonly number[] {
    let ids = this.localLanguageIds.get(countryId);
    if (ids === undefined) {
      const code = this.index.metadata.countries[countryId - 1] ?? '';
      const language = onlyLatinLanguage(code);
      const id = language === undefined ? undefined : this.languageIds.get(language);
      ids = id === undefined ? [] : [id];
      this.localLanguageIds.set(countryId, ids);
    }
    return ids;
  }

  private firstNameIn(place: number, ids: readonly number[]): StoredText | undefined {
    const { placeNames, nameLanguage, nameText } = this.index;
    const name = findNameIn(nameLanguage, ids, { from: placeNames[place]!, to: placeNames[place + 1]! });
    return name === undefined ? undefined : this.textAt(nameText[name]!);
  }

  private isPostcode(place: number, ordinal: number): boolean {
    return this.nameKind(place, ordinal) === 'postcode';
  }

  private nameKind(place: number, ordinal: number): NameKind {
    return NAME_KINDS[this.index.nameKind[this.index.placeNames[place]! + ordinal]!]!;
  }

  /** Name number `ordinal` of a place. 0 is the main name. */
  name(place: number, ordinal: number): StoredName {
    const name = this.index.placeNames[place]! + ordinal;
    return {
      value: this.textAt(this.index.nameText[name]!),
      language: this.index.metadata.languages[this.index.nameLanguage[name]!]!,
    };
  }

  /** The names of known language. Those that the most languages share come first. */
  namesInLanguages(place: number): string[] {
    const { und: _, ...namesByLanguage } = this.allNames(place);
    const languageCounts = new Map<string, number>();
    for (const name of Object.values(namesByLanguage).flat()) {
      languageCounts.set(name, (languageCounts.get(name) ?? 0) + 1);
    }
    return [...languageCounts].sort(([, a], [, b]) => b - a).map(([name]) => name);
  }

  /**
   * Names by language. Those of unknown language are under `und`. Postcodes, codes ("CDG") and machine-made romanisations
   * without a language ("pa li") find the place, but are not its names.
   */
  allNames(place: number): Record<string, string[]> {
    const names: Record<string, string[]> = {};
    const count = this.index.placeNames[place + 1]! - this.index.placeNames[place]!;
    for (let ordinal = 0; ordinal < count; ordinal++) {
      const { value, language } = this.name(place, ordinal);
      const kind = this.nameKind(place, ordinal);
      if (kind === 'postcode' || (language === '' && (kind === 'code' || kind === 'romanized'))) continue;
      const key = language || 'und';
      names[key] = [...(names[key] ?? []), value.text];
    }
    return names;
  }

  regionName(region: number): string {
    let name = this.regionNames[region];
    if (name === undefined) {
      name = this.textAt(this.index.regionText[region]!).text;
      this.regionNames[region] = name;
    }
    return name;
  }

  private regionNameIn(region: number, language: DisplayLanguage | undefined): string {
    if (language === undefined) return this.regionName(region);
    const countryCode = this.index.metadata.countries[region - 1]; // undefined for a division
    const name = countryCode === undefined ? this.translation(region, language) : language.countryName(countryCode);
    return name ?? this.regionName(region);
  }

  private translation(region: number, { ids, convert }: DisplayLanguage): string | undefined {
    const { regionTranslations, translationLanguage, translationText } = this.index;
    const range = { from: regionTranslations[region]!, to: regionTranslations[region + 1]! };
    const name = findNameIn(translationLanguage, ids, range);
    if (name === undefined) return undefined;
    const { text } = this.textAt(translationText[name]!);
    return convert === undefined ? text : convert(text);
  }

  private displayLanguage(tag: string | undefined): DisplayLanguage | undefined {
    if (tag === undefined) return undefined;
    let language = this.displayLanguages.get(tag);
    if (language === undefined) {
      language = new DisplayLanguage(tag, this.languageIds);
      if (this.displayLanguages.size < MAX_CACHED_LANGUAGES) this.displayLanguages.set(tag, language);
    }
    return language;
  }

  /** Reads a text: two bytes of length, then UTF-8. */
  private textAt(offset: number): StoredText {
    const { texts } = this.index;
    const start = offset + 2;
    const length = texts[offset]! | (texts[offset + 1]! << 8);
    return new StoredText(texts, this.readText, { start, end: start + length });
  }
}

function withoutLabelDivision(regions: CachedRegions): CachedRegions {
  return { ...regions, labelDivision: undefined, labelEnd: formatLabelEnd(undefined, regions.country) };
}

/** The first name in the range in language `ids[0]`, or else in `ids[1]`, and so on. */
function findNameIn(
  languages: Uint16Array,
  ids: readonly number[],
  { from, to }: { from: number; to: number },
): number | undefined {
  for (const id of ids) {
    for (let name = from; name < to; name++) if (languages[name] === id) return name;
  }
  return undefined;
}
