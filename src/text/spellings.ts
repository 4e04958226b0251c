/**
 * The ways one name is typed. Variants are made when the index is built, so that a query is folded once and
 * prefix search works half-way through any of them ("sain", "st den", "saint den").
 */
import { fold } from './fold.ts';

/** Folded spellings of a name, its plain one first, without repeats. */
export function spellingsOf(name: string): string[] {
  const spellings = new Set<string>();
  for (const form of writtenForms(name)) {
    const folded = fold(form);
    if (folded === '') continue;
    spellings.add(folded);
    for (const respelt of respell(folded)) spellings.add(respelt);
  }
  return [...spellings];
}

/** A name as written, with its umlauts spelt out, and with its elided articles set apart. */
function* writtenForms(name: string): Iterable<string> {
  yield name;
  if (UMLAUT.test(name)) yield name.replace(UMLAUTS, (letter) => SPELT_UMLAUT[letter] ?? letter);
  if (ELISION.test(name)) yield name.replace(ELISIONS, '$1 ');
  if (DOTTED.test(name)) yield name.replace(DOTS, '. ');
}

/** Only the letters that Germans, Danes, Swedes and Norwegians spell with two. */
const SPELT_UMLAUT: Readonly<Record<string, string>> = {
  ä: 'ae', ö: 'oe', ü: 'ue', Ä: 'Ae', Ö: 'Oe', Ü: 'Ue', å: 'aa', Å: 'Aa', ø: 'oe', Ø: 'Oe',
}; // biome-ignore format: a table
const UMLAUT = /[äöüåøÄÖÜÅØ]/;
const UMLAUTS = /[äöüåøÄÖÜÅØ]/g;
/** d'Or, L'Aquila, dell'Adda, Sant'Elia, N'Djamena: up to five letters before the apostrophe. */
const ELISION = /(?:^|[\s-])\p{L}{1,5}['’](?=\p{L})/u;
const ELISIONS = /(?<=^|[\s-])(\p{L}{1,5})['’](?=\p{L})/gu;
/** "St.Gallen": a full stop that does the work of a space too. */
const DOTTED = /\p{L}{2}\.\p{L}{2}/u;
const DOTS = /(?<=\p{L}{2})\.(?=\p{L}{2})/gu;

/**
 * Words that are written in full and abbreviated alike. Each row: the words that stand for one another.
 * A row is applied one way or the other, never chained, so "st" does not turn "saint" into "sankt".
 */
const CLASSES: readonly (readonly [string, ...string[]])[] = [
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
const SHORT_TO_LONG = new Map(CLASSES.map(([short, ...long]) => [short, long]));
const LONG_TO_SHORT = new Map(CLASSES.flatMap(([short, ...long]) => long.map((word) => [word, short] as const)));
/** Of a short form, only the readings that names in full actually use: "Mt" is "Mount", "St" is "Saint". */
const READINGS = 1;

function* respell(folded: string): Iterable<string> {
  const words = folded.split(' ');
  if (words.length < 2) return;
  for (let i = 0; i < words.length - 1; i++) {
    const word = words[i] as string;
    const short = LONG_TO_SHORT.get(word);
    if (short !== undefined) yield words.with(i, short).join(' ');
    for (const long of (SHORT_TO_LONG.get(word) ?? []).slice(0, READINGS)) {
      if (word.length > 1) yield words.with(i, long).join(' ');
    }
  }
}
