/**
 * The names in an OpenStreetMap element's tags: `name`, `name:LANGUAGE` and the other name keys, lists apart at semicolons.
 */
import type { NameKind, PlaceName } from '../../place/place.ts';
import { canonicalLanguage } from '../language-tag.ts';
import type { Tags } from './elements.ts';

/** Name keys besides `name`, in the order their names are worth. */
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

/** `name:old`, `name:left` and the like have the form of a language, but say something else about the name. */
const NO_LANGUAGE: ReadonlySet<string> = new Set(['old', 'alt', 'loc', 'nat', 'reg', 'int', 'off', 'src', 'ref']);
const LANGUAGE = /^[a-z]{2,3}(?:-[A-Z][a-z]{3})?(?:-(?:[A-Z]{2}|\d{3}))?(?:-[a-z\d]{5,8})?$/;
/** Romanisations under names of their own. */
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
/** Mistakes and essays; the longest real names have under 170. */
const MAX_NAME_LENGTH = 250;

/** The main name first; empty where there is none. Without `name`, an international, English or any other name stands in. */
export function namesOfTags(tags: Tags): PlaceName[] {
  const names: PlaceName[] = [];
  const seen = new Set<string>();
  const add = (text: string, kind: NameKind, language = '') => {
    for (const value of listOf(text)) {
      const key = `${language}\t${value}`;
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

/** An element's names first; of the other's, those it lacks. */
export function joinNames(own: readonly PlaceName[], others: readonly PlaceName[]): PlaceName[] {
  const keyOf = ({ value, language }: PlaceName) => `${language ?? ''}\t${value}`;
  const seen = new Set(own.map(keyOf));
  const values = new Set(own.map(({ value }) => value));
  const further = others
    .filter((name) => !seen.has(keyOf(name)) && (name.language !== undefined || !values.has(name.value)))
    .map((name): PlaceName => (name.kind === 'main' ? { ...name, kind: 'alternate' } : name));
  return [...own, ...further];
}

function mainName(tags: Tags): string | undefined {
  for (const key of ['name', 'int_name', 'name:en', 'official_name', 'loc_name', 'alt_name']) {
    const [first] = listOf(tags.get(key) ?? '');
    // A semicolon in `name` itself parts names too ("Bozen;Bolzano"): the first is the main one.
    if (first !== undefined) return first;
  }
  for (const [key, text] of tags) {
    if (key.startsWith('name:') && isLanguage(key.slice('name:'.length))) return listOf(text)[0];
  }
  return undefined;
}

function listOf(text: string): string[] {
  return text
    .split(';')
    .map((part) => part.replace(/\s+/g, ' ').trim())
    .filter((part) => part !== '' && part.length <= MAX_NAME_LENGTH && !part.includes('://'));
}

function isLanguage(suffix: string): boolean {
  return LANGUAGE.test(suffix) && !NO_LANGUAGE.has(suffix);
}
