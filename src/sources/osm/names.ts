/** Reads the names of an OpenStreetMap element from tags such as `name` and `name:de`. */
import type { NameKind, PlaceName } from '../../place/place.ts';
import { canonicalLanguage } from '../place-values.ts';
import type { Tags } from './elements.ts';

/** Keys of name tags, most important first. A key may have a suffix: `official_name:de`. */
const NAME_KEYS = [
  'name',
  'official_name',
  'int_name',
  'nat_name',
  'reg_name',
  'loc_name',
  'short_name',
  'alt_name',
  'old_name',
] as const;
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
