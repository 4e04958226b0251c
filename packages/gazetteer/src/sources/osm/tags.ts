/** Reads type, population, administrative rank, country and names from OpenStreetMap tags. */
import type { NameKind, PlaceName, PlaceType } from 'toponym-engine/place/place';
import { canonicalLanguage } from '../place-values.ts';
import { COUNTRY_CODES } from '../regions/countries.ts';
import type { Tags } from './elements.ts';

const TYPES: Readonly<Record<string, PlaceType>> = {
  city: 'city',
  town: 'town',
  village: 'village',
  hamlet: 'hamlet',
  isolated_dwelling: 'hamlet',
  farm: 'hamlet',
  locality: 'locality',
  suburb: 'suburban area',
  borough: 'suburban area',
  quarter: 'suburban area',
  neighbourhood: 'suburban area',
};

/** Returns undefined for other kinds of places, such as islands. */
export function parsePlaceType(tags: Tags): PlaceType | undefined {
  const place = tags.get('place') ?? '';
  return Object.hasOwn(TYPES, place) ? TYPES[place] : undefined;
}

const MAX_POPULATION = 100_000_000;

/**
 * A number, perhaps in Western or Indian groups of digits ("12,34,567"), and perhaps a remark after
 * a bracket, a semicolon, a comma or a space. "1,5" and "1 5" are no numbers with a remark.
 */
const POPULATION =
  /^(?:~|≈|ca\.?|approx\.?|about|<|>)?\s*(\d{1,3}(?:[,.' \u00a0\u202f]\d{3})+|\d{1,2}(?:,\d\d)+,\d{3}|\d+)(?:\s*[([;].*|,(?!\d).*|\s+(?![\s\d]).*)?$/i;

/** Parses text such as "12.345" or "~1200 (2011)". Returns undefined for 0 (often unknown). */
export function parsePopulation(text: string | undefined): number | undefined {
  const digits = POPULATION.exec(text?.trim() ?? '')?.[1];
  if (digits === undefined) return undefined;
  const population = Number(digits.replace(/\D/g, ''));
  return population > 0 && population <= MAX_POPULATION ? population : undefined;
}

/** The tag `capital` is `yes` (national) or the admin level of a division. */
export function capitalRank(tags: Tags): number {
  const capital = tags.get('capital') ?? '';
  if (capital === 'yes') return 5;
  return /^\d{1,2}$/.test(capital) ? seatRank(Number(capital)) : 0;
}

/** `Place.adminRank` of the seat of a country (level 2) or division. */
export function seatRank(adminLevel: number): number {
  if (adminLevel < 2 || adminLevel > 10) return 0;
  if (adminLevel === 2) return 5;
  if (adminLevel <= 4) return 4;
  if (adminLevel <= 6) return 3;
  return adminLevel === 7 ? 2 : 1;
}

/** Returns a code or a name. */
export function taggedCountry(tags: Tags): string | undefined {
  const country = tags.get('is_in:country_code') ?? tags.get('addr:country');
  return country ?? tags.get('is_in:iso_3166_1') ?? tags.get('is_in:country');
}

/** `tags` are those of the boundary or node of a country or territory. */
export function isoCountry(tags: Tags): string | undefined {
  for (const key of ['ISO3166-1:alpha2', 'ISO3166-1', 'country_code_iso3166_1_alpha_2', 'iso3166-1']) {
    const code = tags.get(key)?.trim().toUpperCase() ?? '';
    if (COUNTRY_CODES.has(code)) return code;
  }
  return undefined;
}

/** The parts of an ISO 3166-2 code: `['US', 'TX']` for `ISO3166-2=US-TX`. */
export function isoDivision(tags: Tags): readonly [country: string, code: string] | undefined {
  const [, country, code] = /^([A-Z]{2})-([A-Z\d]{1,3})$/.exec(tags.get('ISO3166-2')?.trim() ?? '') ?? [];
  return country !== undefined && code !== undefined && COUNTRY_CODES.has(country) ? [country, code] : undefined;
}

/** Keys of name tags, most important first. A key may have a suffix: `official_name:de`. */
const NAME_KEYS = 'name official_name int_name nat_name reg_name loc_name short_name alt_name old_name'.split(' ');
/** In order of preference. */
const MAIN_NAME_KEYS = ['name', 'int_name', 'name:en', 'official_name', 'loc_name', 'alt_name'] as const;

/** Suffixes that look like a language but are not one: `name:old`. */
const NOT_LANGUAGES: ReadonlySet<string> = new Set(['old', 'alt', 'loc', 'nat', 'reg', 'int', 'off', 'src', 'ref']);
const LANGUAGE = /^[a-z]{2,3}(?:-[A-Z][a-z]{3})?(?:-(?:[A-Z]{2}|\d{3}))?(?:-[a-z\d]{5,8})?$/;
/** Language tags by suffix. */
const ROMANIZED_LANGUAGES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ja_rm: 'ja-Latn',
    'ja-Latn': 'ja-Latn',
    ja_romaji: 'ja-Latn',
    ko_rm: 'ko-Latn',
    'ko-Latn': 'ko-Latn',
    zh_pinyin: 'zh-Latn',
    'zh-Latn-pinyin': 'zh-Latn',
    'zh-Latn': 'zh-Latn',
  }),
);
/** The longest real names have under 170 characters. */
const MAX_NAME_LENGTH = 250;

/** Returns all names, the main name first. */
export function readNames(tags: Tags): PlaceName[] {
  const main = mainName(tags);
  if (main === undefined) return [];
  const names: PlaceName[] = [{ value: main, kind: 'main' }];
  const add = (text: string, kind: NameKind, language?: string) => {
    for (const value of splitList(text)) {
      const name = language === undefined ? { value, kind } : { value, kind, language };
      if (!includesName(names, name)) names.push(name);
    }
  };
  for (const nameKey of NAME_KEYS) {
    const kind = nameKey === 'old_name' ? 'historic' : 'alternate';
    add(tags.get(nameKey) ?? '', kind);
    const prefix = `${nameKey}:`;
    for (const [key, text] of tags) {
      if (!key.startsWith(prefix)) continue;
      const suffix = key.slice(prefix.length);
      const romanizedLanguage = ROMANIZED_LANGUAGES.get(suffix);
      if (romanizedLanguage !== undefined) add(text, kind === 'historic' ? kind : 'romanized', romanizedLanguage);
      else if (isLanguage(suffix)) add(text, kind, canonicalLanguage(suffix));
    }
  }
  return names;
}

/** Returns the names of one element, then the names that only the other element has. */
export function mergeNames(own: readonly PlaceName[], others: readonly PlaceName[]): PlaceName[] {
  const added = others
    .filter((name) => !includesName(own, name))
    .map((name): PlaceName => (name.kind === 'main' ? { ...name, kind: 'alternate' } : name));
  return [...own, ...added];
}

/** A name without a language matches the same value in any language. */
function includesName(names: readonly PlaceName[], { value, language }: PlaceName): boolean {
  return names.some((other) => other.value === value && (language === undefined || other.language === language));
}

export function mainName(tags: Tags): string | undefined {
  const otherKeys = [...tags.keys()].filter((key) => key.startsWith('name:') && isLanguage(key.slice('name:'.length)));
  for (const key of [...MAIN_NAME_KEYS, ...otherKeys]) {
    const [first] = splitList(tags.get(key) ?? '');
    if (first !== undefined) return first;
  }
  return undefined;
}

/** Splits lists such as "Bozen;Bolzano". */
function splitList(text: string): string[] {
  return text
    .split(';')
    .map((name) => name.replace(/\s+/g, ' ').trim())
    .filter((name) => name !== '' && name.length <= MAX_NAME_LENGTH && !name.includes('://')); // no web addresses
}

function isLanguage(suffix: string): boolean {
  return LANGUAGE.test(suffix) && !NOT_LANGUAGES.has(suffix);
}
