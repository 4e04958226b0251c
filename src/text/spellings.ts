/**
 * The ways a name is typed. Spellings are added when the index is built, so a query is folded once
 * and prefix search works within each of them ("sain", "st den", "saint den").
 */
import { fold } from './fold.ts';

/** Distinct folded spellings of a name; the first is the folded name itself. */
export function listSpellings(name: string): string[] {
  const spellings = new Set<string>();
  for (const form of writtenForms(name)) {
    const folded = fold(form);
    if (folded === '') continue;
    spellings.add(folded);
    for (const respelt of respell(folded)) spellings.add(respelt);
  }
  return [...spellings];
}

/** Yields the name as written, with umlauts spelt out, and with spaces after elisions and dots. */
function* writtenForms(name: string): Iterable<string> {
  yield name;
  if (UMLAUT.test(name)) yield name.replace(UMLAUTS, (letter) => SPELT_UMLAUT[letter] ?? letter);
  if (ELISION.test(name)) yield name.replace(ELISIONS, '$1 ');
  if (DOTTED.test(name)) yield name.replace(DOTS, '. ');
}

/** Letters that Germans, Danes, Swedes and Norwegians also write as two letters. */
const SPELT_UMLAUT: Readonly<Record<string, string>> = {
  ä: 'ae', ö: 'oe', ü: 'ue', Ä: 'Ae', Ö: 'Oe', Ü: 'Ue', å: 'aa', Å: 'Aa', ø: 'oe', Ø: 'Oe',
}; // biome-ignore format: a table
const UMLAUT = /[äöüåøÄÖÜÅØ]/;
const UMLAUTS = /[äöüåøÄÖÜÅØ]/g;
/** d'Or, L'Aquila, dell'Adda, Sant'Elia, N'Djamena: up to five letters before the apostrophe. */
const ELISION = /(?:^|[\s-])\p{L}{1,5}['’](?=\p{L})/u;
const ELISIONS = /(?<=^|[\s-])(\p{L}{1,5})['’](?=\p{L})/gu;
/** A full stop that replaces a space: "St.Gallen". */
const DOTTED = /\p{L}{2}\.\p{L}{2}/u;
const DOTS = /(?<=\p{L}{2})\.(?=\p{L}{2})/gu;

/**
 * Abbreviations and their full words, the most common one first. A row applies in either direction
 * but is never chained, so "saint" does not become "sankt" by way of "st".
 */
const ABBREVIATIONS: readonly (readonly [string, string, ...string[]])[] = [
  ['st', 'saint', 'sankt', 'sint'],
  ['ste', 'sainte'],
  ['sta', 'santa'],
  ['sto', 'santo'],
  ['mt', 'mount', 'mont'],
  ['mtn', 'mountain'],
  ['ft', 'fort'],
  ['pt', 'port', 'point'],
  ['hts', 'heights'],
  ['spgs', 'springs'],
  ['twp', 'township'],
  ['gen', 'general'],
  ['dr', 'doctor'],
  ['pres', 'presidente', 'president'],
  ['cd', 'ciudad'],
  ['vila', 'villa'],
  ['n', 'north'],
  ['s', 'south'],
  ['e', 'east'],
  ['w', 'west'],
];
/** Only the most common word of each abbreviation, and nothing for single letters. */
const SHORT_TO_LONG = new Map(
  ABBREVIATIONS.filter(([short]) => short.length > 1).map(([short, long]) => [short, long]),
);
const LONG_TO_SHORT = new Map(ABBREVIATIONS.flatMap(([short, ...long]) => long.map((word) => [word, short] as const)));

/** Yields the spellings with one word abbreviated or expanded, except the last word. */
function* respell(folded: string): Iterable<string> {
  const words = folded.split(' ');
  for (let i = 0; i < words.length - 1; i++) {
    const word = words[i] as string;
    const short = LONG_TO_SHORT.get(word);
    if (short !== undefined) yield words.with(i, short).join(' ');
    const long = SHORT_TO_LONG.get(word);
    if (long !== undefined) yield words.with(i, long).join(' ');
  }
}
