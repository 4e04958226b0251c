/**
 * Chooses the name to show if no language is asked for: the one that most people know. That is mostly
 * the main name. But a gazetteer may prefer the language of a minority (Gaillimh), or a transcription
 * with marks that hardly anyone writes (Hyderābād). Searches do not depend on this choice.
 */
import type { PlaceName } from '../../place/place.ts';
import { hasNonLatinScript } from './local-names.ts';

/** Countries where most people know places by their English names. */
const COUNTRIES_WITH_ENGLISH_NAMES = new Set(['GB', 'IE', 'IN', 'NZ', 'PH']);
/** Macron, breve, dot above and below, cedilla, line below. */
const TRANSCRIPTION_MARKS = /[\u0304\u0306\u0307\u0323\u0327\u0331]/g;
/** Transcribed Greek also has its stress marks. */
const TRANSCRIPTION_MARKS_IN_GREEK = /[\u0301\u0304\u0306\u0307\u0323\u0327\u0331]/g;
const COUNTRIES_WITH_GREEK = new Set(['CY', 'GR']);

/** Returns the position of the name among the names of the place; 0 is the main name. */
export function shownName(country: string, readNames: () => readonly PlaceName[]): number {
  const hasEnglishNames = COUNTRIES_WITH_ENGLISH_NAMES.has(country);
  if (!hasEnglishNames && !hasNonLatinScript(country)) return 0; // most places need not be read
  const names = readNames();
  const english = hasEnglishNames ? names.findIndex(({ language }) => language === 'en') : -1;
  if (english !== -1) return english;
  const main = names[0]?.value ?? '';
  const plain = hasNonLatinScript(country) ? withoutTranscriptionMarks(main, country) : main;
  const shown = plain === main ? 0 : names.findIndex(({ value }) => value === plain);
  return Math.max(shown, 0);
}

function withoutTranscriptionMarks(name: string, country: string): string {
  const marks = COUNTRIES_WITH_GREEK.has(country) ? TRANSCRIPTION_MARKS_IN_GREEK : TRANSCRIPTION_MARKS;
  return name.normalize('NFD').replace(marks, '').normalize('NFC');
}
