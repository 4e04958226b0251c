/**
 * Reads the names of an OpenStreetMap element: `name`, `name:LANGUAGE` and the other name keys.
 * Semicolons separate the names of a list.
 */
import type { NameKind, PlaceName } from '../../place/place.ts';
import { canonicalLanguage } from '../language-tag.ts';
import type { Tags } from './elements.ts';

/** Name keys, most important first, with the kind of all names except the main name. */
const NAME_KEYS: readonly (readonly [key: string, kind: NameKind])[] = [
  ['name', 'alternate'],
  ['official_name', 'alternate'],
  ['int_name', 'alternate'],
  ['nat_name', 'alternate'],
  ['reg_name', 'alternate'],
  ['loc_name', 'alternate'],
  ['short_name', 'alternate'],
  ['alt_name', 'alternate'],
  ['old_name', 'historic'],
];

/** Suffixes that look like a language but are not: `name:old`, `name:alt`. */
const NOT_LANGUAGES: ReadonlySet<string> = new Set(['old', 'alt', 'loc', 'nat', 'reg', 'int', 'off', 'src', 'ref']);
const LANGUAGE = /^[a-z]{2,3}(?:-[A-Z][a-z]{3})?(?:-(?:[A-Z]{2}|\d{3}))?(?:-[a-z\d]{5,8})?$/;
/** Languages of romanized names, by suffix. */
const ROMANIZED: Readonly<Record<string, string>> = {
  ja_rm: 'ja-Latn',
  'ja-Latn': 'ja-Latn',
  ja_romaji: 'ja-Latn',
  ko_rm: 'ko-Latn',
  'ko-Latn': 'ko-Latn',
  zh_pinyin: 'zh-Latn',
  'zh-Latn-pinyin': 'zh-Latn',
  'zh-Latn': 'zh-Latn',
};
/** Longer values are mistakes: the longest real names have under 170 characters. */
const MAX_NAME_LENGTH = 250;

/** Returns the main name first: `name`, or else an international or other name. May be empty. */
export function readNames(tags: Tags): PlaceName[] {
  const names: PlaceName[] = [];
  const seen = new Set<string>();
  const add = (text: string, kind: NameKind, language = '') => {
    for (const value of splitList(text)) {
      const key = `${language}\t${value}`;
      // a name is not repeated without a language
      if (seen.has(key) || (language === '' && names.some((name) => name.value === value))) continue;
      seen.add(key);
      names.push(language === '' ? { value, kind } : { value, kind, language });
    }
  };
  const main = mainName(tags);
  if (main === undefined) return names;
  names.push({ value: main, kind: 'main' });
  seen.add(`\t${main}`);
  for (const [nameKey, kind] of NAME_KEYS) {
    const plain = tags.get(nameKey);
    if (plain !== undefined) add(plain, kind);
    for (const [key, text] of tags) {
      if (!key.startsWith(nameKey) || key[nameKey.length] !== ':') continue;
      const suffix = key.slice(nameKey.length + 1);
      const romanized = ROMANIZED[suffix];
      if (romanized !== undefined) add(text, kind === 'historic' ? kind : 'romanized', romanized);
      else if (isLanguage(suffix)) add(text, kind, canonicalLanguage(suffix));
    }
  }
  return names;
}

/** Returns an element's own names, then the names that only another element has. */
export function mergeNames(own: readonly PlaceName[], others: readonly PlaceName[]): PlaceName[] {
  const nameKey = ({ value, language }: PlaceName) => `${language ?? ''}\t${value}`;
  const seen = new Set(own.map(nameKey));
  const values = new Set(own.map(({ value }) => value));
  const added = others
    .filter((name) => !seen.has(nameKey(name)) && (name.language !== undefined || !values.has(name.value)))
    .map((name): PlaceName => (name.kind === 'main' ? { ...name, kind: 'alternate' } : name));
  return [...own, ...added];
}

function mainName(tags: Tags): string | undefined {
  for (const key of ['name', 'int_name', 'name:en', 'official_name', 'loc_name', 'alt_name']) {
    // each of these tags may be a list ("Bozen;Bolzano")
    const [first] = splitList(tags.get(key) ?? '');
    if (first !== undefined) return first;
  }
  for (const [key, text] of tags) {
    if (!key.startsWith('name:') || !isLanguage(key.slice('name:'.length))) continue;
    const [first] = splitList(text);
    if (first !== undefined) return first;
  }
  return undefined;
}

function splitList(text: string): string[] {
  return text
    .split(';')
    .map((part) => part.replace(/\s+/g, ' ').trim())
    .filter((part) => part !== '' && part.length <= MAX_NAME_LENGTH && !part.includes('://'));
}

function isLanguage(suffix: string): boolean {
  return LANGUAGE.test(suffix) && !NOT_LANGUAGES.has(suffix);
}
