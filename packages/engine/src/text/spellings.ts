/** Lists the ways a name is typed. An index holds all of them, so that queries are only folded. */
import { fold } from './fold.ts';
import { withoutHanSuffix } from './han-variants.ts';

/** Distinct folded spellings; the first is the folded name itself, which a caller may know already. */
export function listSpellings(name: string, foldedName = fold(name)): string[] {
  const otherForms = otherWrittenForms(name);
  if (otherForms.length === 0 && ONE_LATIN_WORD.test(foldedName)) return [foldedName]; // most names
  const spellings = new Set<string>();
  for (const folded of [foldedName, ...otherForms.map(fold)]) {
    if (folded === '') continue;
    spellings.add(folded);
    spellings.add(withoutHanSuffix(folded));
    for (const respelt of respell(folded)) spellings.add(respelt);
    for (const respelt of respellNasals(folded)) spellings.add(respelt);
  }
  return [...spellings];
}

/** Variants of the name with one kind of change each. */
function otherWrittenForms(name: string): string[] {
  if (!UMLAUT_APOSTROPHE_OR_DOT.test(name)) return []; // most names
  return [
    name.replace(UMLAUT, (letter) => UMLAUT_AS_TWO_LETTERS[letter] ?? letter),
    name.replace(ELISION, '$1 '),
    name.replace(DOT_FOR_SPACE, '$1. '),
  ].filter((form) => form !== name);
}

const ONE_LATIN_WORD = /^[a-z0-9]+$/;

/** Letters that German and the Scandinavian languages also write as two. */
const UMLAUT_AS_TWO_LETTERS: Readonly<Record<string, string>> = {
  ä: 'ae', ö: 'oe', ü: 'ue', Ä: 'Ae', Ö: 'Oe', Ü: 'Ue', å: 'aa', Å: 'Aa', ø: 'oe', Ø: 'Oe',
}; // biome-ignore format: a table
const UMLAUT = /[äöüåøÄÖÜÅØ]/g;
const UMLAUT_APOSTROPHE_OR_DOT = /[äöüåøÄÖÜÅØ'’.]/;
/** d'Or, L'Aquila, dell'Adda, Sant'Elia, N'Djamena. */
const ELISION = /((?:^|[\s-])\p{L}{1,5})['’](?=\p{L})/gu;
/** "St.Gallen". */
const DOT_FOR_SPACE = /(\p{L}{2})\.(?=\p{L}{2})/gu;

/** Abbreviations with their long forms, the most common one first. */
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
  ['vila', 'villa'], // no abbreviation, but two spellings of one word
  ['n', 'north'],
  ['s', 'south'],
  ['e', 'east'],
  ['w', 'west'],
];
/** Single letters are left out, because "s" and "e" are words, too. */
const SHORT_TO_LONG = new Map(
  ABBREVIATIONS.filter(([short]) => short.length > 1).map(([short, long]) => [short, long]),
);
const LONG_TO_SHORT = new Map(ABBREVIATIONS.flatMap(([short, ...long]) => long.map((word) => [word, short] as const)));

/** Shortens or expands one word, but not the last, which is seldom an abbreviation. */
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

const HAS_DEVANAGARI = /[\u0900-\u097f]/;
/** Rows of four Devanagari plosives and the nasal spoken at the same place. */
const CONSONANT_ROWS = ['कखगघङ', 'चछजझञ', 'टठडढण', 'तथदधन', 'पफबभम'];
/** U+094D joins the nasal to the next letter. */
const NASAL_BEFORE_PLOSIVE = /[ङञणनम]\u094d(?=[क-घच-झट-ढत-धप-भ])/g;
/** U+0902 is a dot above that stands for any nasal. */
const NASAL_DOT_BEFORE_PLOSIVE = /\u0902(?=[क-घच-झट-ढत-धप-भ])/g;

/** Yields a Hindi name with its nasals as dots, then as letters: मुंबई, मुम्बई. */
function* respellNasals(folded: string): Iterable<string> {
  if (!HAS_DEVANAGARI.test(folded)) return;
  yield folded.replace(NASAL_BEFORE_PLOSIVE, '\u0902');
  yield folded.replace(NASAL_DOT_BEFORE_PLOSIVE, (_, at: number) => {
    const row = CONSONANT_ROWS.find((letters) => letters.includes(folded[at + 1] as string)) as string;
    return `${row.at(-1)}\u094d`;
  });
}
