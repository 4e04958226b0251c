/** Reads records and names of places from the index. */
import type { Index } from '../../index-file/layout.ts';
import { readAdmin2, readMainNameOffset } from '../../index-file/packed-record.ts';
import type { RecordRegions } from '../engine.ts';
import { IndexRecord } from './index-record.ts';
import { StoredText } from './stored-text.ts';

/** Clients choose the language tags, so the cache of country names must be bounded. */
const MAX_CACHED_LANGUAGES = 500;

type CachedRegions = RecordRegions & { readonly countryId: number; readonly admin1Id: number };

export interface StoredName {
  readonly value: StoredText;
  /** BCP 47 tag; empty if unknown. */
  readonly language: string;
}

export class PlaceRecords {
  private readonly index: Index;
  private readonly texts: Buffer;
  private readonly languageIds: ReadonlyMap<string, number>;
  /** Names by region id, as far as they were read: most places are in a few regions. */
  private readonly regionNames: (string | undefined)[];
  private readonly countryNamesByLanguage = new Map<string, Intl.DisplayNames>();
  /** Regions of places by the id of their smallest region, for records without a language. */
  private readonly cachedRegions: (CachedRegions | undefined)[];

  constructor(index: Index) {
    this.index = index;
    this.cachedRegions = new Array(index.regionText.length);
    this.regionNames = new Array(index.regionText.length);
    this.texts = Buffer.from(index.texts.buffer as ArrayBuffer, index.texts.byteOffset, index.texts.byteLength);
    this.languageIds = new Map(index.metadata.languages.map((language, id) => [language.toLowerCase(), id]));
  }

  record(place: number, language: string | undefined): IndexRecord {
    return new IndexRecord(this.index, place, this.displayName(place, language), this.regionsOf(place, language));
  }

  /** The regions of a place. Region id 0 stands for none; the countries have the ids from 1 on. */
  private regionsOf(place: number, language: string | undefined): RecordRegions {
    const countryId = this.index.placeCountry[place]!;
    const admin1Id = this.index.placeAdmin1[place]!;
    const admin2Id = readAdmin2(this.index, place);
    const smallest = admin2Id || admin1Id || countryId;
    const cached = language === undefined ? this.cachedRegions[smallest] : undefined;
    // in some data a county is in two states, so the smallest region does not decide the others
    if (cached?.admin1Id === admin1Id && cached.countryId === countryId) return cached;
    const code = this.index.metadata.countries[countryId - 1] ?? '';
    const regions = {
      countryId,
      admin1Id,
      country: this.countryName(countryId, code, language),
      countryCode: code.toLowerCase(),
      administrative: admin1Id === 0 ? [] : [this.regionName(admin1Id)],
      county: admin2Id === 0 ? [] : [this.regionName(admin2Id)],
    };
    if (language === undefined) this.cachedRegions[smallest] = regions;
    return regions;
  }

  mainNameText(place: number): StoredText {
    return this.textAt(readMainNameOffset(this.index, place));
  }

  /** The first name in the language, or else the main name. `fr-CA` falls back to `fr`. */
  private displayName(place: number, language: string | undefined): StoredText {
    const id = language === undefined ? undefined : this.languageId(language);
    if (id === undefined) return this.mainNameText(place);
    const { placeNames, nameLanguage, nameText } = this.index;
    for (let name = placeNames[place]!; name < placeNames[place + 1]!; name++) {
      if (nameLanguage[name] === id) return this.textAt(nameText[name]!);
    }
    return this.mainNameText(place);
  }

  /** Name number `ordinal` of a place; 0 is the main name. */
  name(place: number, ordinal: number): StoredName {
    const name = this.index.placeNames[place]! + ordinal;
    return {
      value: this.textAt(this.index.nameText[name]!),
      language: this.index.metadata.languages[this.index.nameLanguage[name]!]!,
    };
  }

  /** Names by language; names of unknown language are under `und`. */
  allNames(place: number): Record<string, string[]> {
    const names: Record<string, string[]> = {};
    const count = this.index.placeNames[place + 1]! - this.index.placeNames[place]!;
    for (let ordinal = 0; ordinal < count; ordinal++) {
      const { value, language } = this.name(place, ordinal);
      const key = language || 'und';
      names[key] = [...(names[key] ?? []), value.text];
    }
    return names;
  }

  private regionName(region: number): string {
    let name = this.regionNames[region];
    if (name === undefined) {
      name = this.textAt(this.index.regionText[region]!).text;
      this.regionNames[region] = name;
    }
    return name;
  }

  private languageId(language: string): number | undefined {
    const tag = language.toLowerCase();
    return this.languageIds.get(tag) ?? this.languageIds.get(tag.split('-')[0] ?? '');
  }

  /** The country's name in the language from `Intl`, or else its name in the index. */
  private countryName(countryId: number, code: string, language: string | undefined): string {
    if (countryId === 0) return '';
    if (language === undefined) return this.regionName(countryId);
    return this.countryNamesIn(language)?.of(code) ?? this.regionName(countryId);
  }

  private countryNamesIn(language: string): Intl.DisplayNames | undefined {
    let names = this.countryNamesByLanguage.get(language);
    if (names === undefined) {
      const [locale] = supportedLocales(language);
      if (locale === undefined) return undefined;
      names = new Intl.DisplayNames([locale], { type: 'region', fallback: 'none' });
      if (this.countryNamesByLanguage.size < MAX_CACHED_LANGUAGES) this.countryNamesByLanguage.set(language, names);
    }
    return names;
  }

  /** Reads a text: two bytes of length, then UTF-8. */
  private textAt(offset: number): StoredText {
    const { texts } = this;
    const start = offset + 2;
    const length = texts[offset]! | (texts[offset + 1]! << 8);
    return new StoredText(texts, start, start + length);
  }
}

function supportedLocales(language: string): string[] {
  try {
    return Intl.DisplayNames.supportedLocalesOf([language]);
  } catch {
    return []; // not a language tag
  }
}
