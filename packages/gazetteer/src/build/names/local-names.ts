/**
 * Finds the local names of a place: those in a non-Latin script of its country or, where people write
 * Latin letters, those in its main language.
 */
import { countryLanguage } from 'toponym-engine/place/country-language';
import type { PlaceName } from 'toponym-engine/place/place';
import { groupBits } from 'toponym-engine/text/script';

/** A script is given as the first code unit of its group in text/script.ts. */
const COUNTRIES_BY_SCRIPT: readonly (readonly [firstUnit: number, countries: string])[] = [
  [0x0370, 'CY GR'], // Greek
  [0x0400, 'BA BG BY KG KZ ME MK MN RS RU TJ UA UZ'], // Cyrillic
  [0x0530, 'AM'], // Armenian
  [0x0590, 'IL'], // Hebrew
  // Arabic, and Thaana for the Maldives
  [0x0600, 'AE AF BH DJ DZ EG EH ER IL IQ IR JO KM KW LB LY MA MR MV OM PK PS QA SA SD SO SY TD TN YE'],
  [0x0900, 'IN NP'], // Devanagari
  [0x0980, 'BD IN'], // Bengali
  [0x0a00, 'IN'], // Gurmukhi
  [0x0a80, 'IN'], // Gujarati
  [0x0b00, 'IN'], // Odia
  [0x0b80, 'IN LK'], // Tamil
  [0x0c00, 'IN'], // Telugu
  [0x0c80, 'IN'], // Kannada
  [0x0d00, 'IN'], // Malayalam
  [0x0d80, 'LK'], // Sinhala
  [0x0e00, 'TH'], // Thai
  [0x0e80, 'LA'], // Lao
  [0x0f00, 'BT CN'], // Tibetan
  [0x1000, 'MM'], // Burmese
  [0x10a0, 'GE'], // Georgian
  [0x1200, 'ER ET'], // Ethiopic
  [0x1380, 'KH'], // Khmer, in a group of several scripts
  [0x3040, 'JP'], // kana
  [0x3100, 'CN HK JP MO TW'], // Bopomofo and Chinese characters
  [0xac00, 'KP KR'], // Hangul
];

/** Bits as in `groupBits`, by country code. */
const scriptsByCountry = new Map<string, number>();
for (const [firstUnit, countries] of COUNTRIES_BY_SCRIPT) {
  for (const country of countries.split(' ')) {
    scriptsByCountry.set(country, (scriptsByCountry.get(country) ?? 0) | (groupBits[firstUnit] as number));
  }
}

/**
 * Only the first name in a language counts, because the others are often former names, and only if it
 * is not the main name with a title: "Daerah Khusus Ibukota Jakarta".
 */
export function areLocalNames(names: readonly PlaceName[], country: string): boolean[] {
  const untitled = ` ${names[0]?.value}`;
  const scripts = scriptsByCountry.get(country);
  const seenLanguages = new Set<string>();
  return names.map(({ value, language }) => {
    if (language === undefined || seenLanguages.has(language)) return false;
    seenLanguages.add(language);
    if (scripts === undefined) return language === countryLanguage(country) && !value.endsWith(untitled);
    return ((groupBits[value.charCodeAt(0)] as number) & scripts) !== 0;
  });
}

/** Countries of Latin letters where most people know places by their English names. */
const COUNTRIES_WITH_ENGLISH_NAMES = new Set(['GB', 'IE', 'NZ', 'PH']);
const CYRILLIC = groupBits[0x0400] as number;
/** Macron, breve, dot above and below, cedilla, line below. */
const TRANSCRIPTION_MARKS = /[\u0304\u0306\u0307\u0323\u0327\u0331]/g;
/** Transcribed Greek also has its stress marks. */
const TRANSCRIPTION_MARKS_IN_GREEK = /[\u0301\u0304\u0306\u0307\u0323\u0327\u0331]/g;
const COUNTRIES_WITH_GREEK = new Set(['CY', 'GR']);

/**
 * Chooses the name to show if no language is asked for: the one that most people know. That is mostly
 * the main name. But a gazetteer may prefer the language of a minority (Gaillimh), another transcription
 * than people write (Makkah), or one with marks that hardly anyone writes (Hyderābād). Searches do not
 * depend on this choice. Returns its position among the names of the place; 0 is the main name.
 */
export function shownName(country: string, readNames: () => readonly PlaceName[]): number {
  const scripts = scriptsByCountry.get(country);
  const hasEnglishNames = COUNTRIES_WITH_ENGLISH_NAMES.has(country);
  if (scripts === undefined && !hasEnglishNames) return 0; // most places need not be read
  const names = readNames();
  // of Cyrillic names, English has other transcriptions than most languages: Grodno, not Hrodna
  const prefersEnglish = scripts === undefined || (scripts & CYRILLIC) === 0;
  const english = prefersEnglish ? names.findIndex(({ language }) => language === 'en') : -1;
  if (english !== -1) return english;
  const main = names[0]?.value ?? '';
  const plain = scripts === undefined ? main : withoutTranscriptionMarks(main, country);
  const shown = plain === main ? 0 : names.findIndex(({ value }) => value === plain);
  return Math.max(shown, 0);
}

function withoutTranscriptionMarks(name: string, country: string): string {
  const marks = COUNTRIES_WITH_GREEK.has(country) ? TRANSCRIPTION_MARKS_IN_GREEK : TRANSCRIPTION_MARKS;
  return name.normalize('NFD').replace(marks, '').normalize('NFC');
}
