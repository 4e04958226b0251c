/** Languages that share a script: their letters, and how they spell foreign names. */

/** Points per match of the spelling (flag g), added to the similarity to the main name (0..1). */
type Habit = readonly [spelling: RegExp, points: number];

export interface ScriptLanguage {
  readonly tag: string;
  /** Matches names that the language can spell, lower-cased and reduced to letters. */
  readonly letters: RegExp;
  /** Matches lower-cased names that are surely in the language. Other names do not count. */
  readonly proof?: RegExp;
  /** Codes of countries whose names need no proof, separated by spaces. */
  readonly countries?: string;
  readonly habits?: readonly Habit[];
}

/** Matches no name, for languages that get names only in their `countries`. */
const NO_PROOF = /$^/;
/** In Japanese names, Russian and Ukrainian write sh, ch, j and ts as с, т, дз and ц. */
export const HABITS_FOR_JAPAN: readonly Habit[] = [[/[шж]|ч[аиу]|тс/g, -0.2]];

const CYRILLIC: readonly ScriptLanguage[] = [
  {
    tag: 'ru',
    letters: /^[а-яё]+$/,
    habits: [
      // New York is Нью-Йорк in Russian, but Ню Йорк in Bulgarian
      [/[ьй]/g, 0.04],
      [/-/g, 0.05],
      [/ё/g, 0.03],
      // a Russian э stands at the start or after a vowel
      [/(?<=^|[аеиоу -])э/g, 0.06],
      [/(?<=[бвгджзклмнпрстфхцчшщ])э/g, -0.1],
      // Belarusian and Kyrgyz write a foreign i as ы
      [/ы/g, -0.08],
      // Russian writes -ия, -уя and ц instead
      [/[иу]а$|тс/g, -0.1],
      // Bulgarian, then Caucasian spellings
      [/ъ(?![еёюя])|[гкх][ьъ]/g, -0.3],
      // a Ukrainian ending
      [/[сц]ьк/g, -1],
    ],
  },
  {
    tag: 'uk',
    // without і, ї, є or ґ, a name with и where Ukrainian mostly writes і is Russian
    letters: /^(?!(?!.*[іїєґ]).*([бвгйклмнпфх]и|и([аеиоуюя]|$)))[а-щьюяґєії]+$/,
    habits: [
      [/[ьйіїє]/g, 0.04],
      [/-/g, 0.05],
      // Ukrainian writes a foreign i mostly as і
      [/и/g, -0.08],
      // unusual spellings, then Caucasian ones
      [/[иу]а$|ьо|тс(?=[ауио])/g, -0.1],
      [/[гкх]ь/g, -0.3],
    ],
  },
  // of Belarusian, Ukrainian and Russian, only Belarusian has both і and ы or э
  { tag: 'be', letters: /^[а-зй-шыьэюяёіў]+$/, proof: /ў|і.*[ыэ]|[ыэ].*і/, countries: 'BY' },
  {
    tag: 'bg',
    letters: /^[а-ъьюя]+$/,
    // ъ as a vowel
    proof: /[бвгджзклмнпрстфхцчшщ]ъ[бвгджзклмнпрстфхцчшщ]/,
    countries: 'BG',
  },
  { tag: 'sr', letters: /^[абвгдђежзијклљмнњопрстћуфхцчџш]+$/, proof: /[ђћ]/, countries: 'RS BA ME' },
  { tag: 'mk', letters: /^[абвгдѓежзѕијклљмнњопрстќуфхцчџш]+$/, proof: /[ѓќѕ]/, countries: 'MK' },
  {
    tag: 'kk',
    letters: /^[а-яёәғқңөұүһі]+$/,
    // only Kazakh has ұ, or letters of both groups
    proof: /ұ|[әқғ].*[іңөү]|[іңөү].*[әқғ]/,
    countries: 'KZ',
  },
  { tag: 'ky', letters: /^[а-яёңөү]+$/, proof: NO_PROOF, countries: 'KG' },
  { tag: 'mn', letters: /^[а-яёөү]+$/, proof: NO_PROOF, countries: 'MN' },
  { tag: 'tg', letters: /^[а-яёғӣқӯҳҷ]+$/, proof: /[ӣӯҷ]/, countries: 'TJ' },
];

const ARABIC: readonly ScriptLanguage[] = [
  {
    tag: 'ar',
    letters: /^[ءآأؤإئابةتثجحخدذرزسشصضطظعغفقكلمنهوىي]+$/,
    habits: [
      // letters that Persian and Urdu lack
      [/[أإة]/g, 0.04],
      // ى for ي is an Egyptian spelling
      [/ى/g, -0.1],
      // the Arabic article
      [/^ال/g, 0.25],
    ],
  },
  {
    tag: 'fa',
    letters: /^[ءآئابتثجحخدذرزسشصضطظعغفقلمنهوپچژکگی]+$/,
    habits: [
      // letters that Arabic lacks
      [/[پچژگ]/g, 0.04],
      // Urdu writes more of the short vowels
      [/ی(?!$)/g, -0.08],
      // the Arabic article, and an Urdu spelling
      [/^ال|ئی/g, -0.1],
    ],
  },
  {
    tag: 'ur',
    letters: /^[ءآئابپتٹثجچحخدڈذرڑزژسشصضطظعغفقکگلمنںوؤہھیےۓ]+$/,
    proof: /[ٹڈڑںےہھ]/,
    countries: 'PK',
  },
];

const HEBREW: readonly ScriptLanguage[] = [
  {
    tag: 'he',
    letters: /^[א-ת]+$/,
    habits: [
      // Yiddish writes vowels as ע and א
      [/ע/g, -0.1],
      [/א/g, -0.04],
      // Hebrew writes a final a mostly as ה
      [/א(?=[ -]|$)/g, -0.1],
    ],
  },
];

const DEVANAGARI: readonly ScriptLanguage[] = [
  {
    tag: 'hi',
    // all of Devanagari but ळ, ॅ and ॲ, which are Marathi
    letters: /^[\u0900-\u0932\u0934-\u0944\u0946-\u0971\u0973-\u097f]+$/,
    habits: [
      // Marathi spellings
      [/झ|व्ह/g, -0.1],
      // dot below, ai and English o are rarer in Marathi and Nepali
      [/[\u093cैॉ]/g, 0.05],
    ],
  },
  { tag: 'mr', letters: /^[\u0900-\u097f]+$/, proof: /[ळॲॅ]|व्ह/ },
  { tag: 'ne', letters: /^[\u0900-\u097f]+$/, proof: NO_PROOF, countries: 'NP' },
];

/** `script` matches names whose letters are all of the script. */
export const SHARED_SCRIPTS: readonly { readonly script: RegExp; readonly languages: readonly ScriptLanguage[] }[] = [
  { script: /^[\u0400-\u052f\P{L}]+$/u, languages: CYRILLIC },
  { script: /^[\u0600-\u06ff\P{L}]+$/u, languages: ARABIC },
  { script: /^[\u0590-\u05ff\P{L}]+$/u, languages: HEBREW },
  { script: /^[\u0900-\u097f\P{L}]+$/u, languages: DEVANAGARI },
];

/** Guesses the language of a name from its script, unless several languages share the script. */

/** A range of UTF-16 code units, both ends inclusive. No two share a row of 16 code units. */
type Block = readonly [first: number, last: number, language: string];

const BLOCKS: readonly Block[] = [
  [0x0370, 0x03ff, 'el'],
  [0x0530, 0x058f, 'hy'],
  [0x0780, 0x07bf, 'dv'],
  [0x0980, 0x09ff, 'bn'],
  [0x0a00, 0x0a7f, 'pa'],
  [0x0a80, 0x0aff, 'gu'],
  [0x0b00, 0x0b7f, 'or'],
  [0x0b80, 0x0bff, 'ta'],
  [0x0c00, 0x0c7f, 'te'],
  [0x0c80, 0x0cff, 'kn'],
  [0x0d00, 0x0d7f, 'ml'],
  [0x0d80, 0x0dff, 'si'],
  [0x0e00, 0x0e7f, 'th'],
  [0x0e80, 0x0eff, 'lo'],
  [0x0f00, 0x0fff, 'bo'],
  [0x1000, 0x109f, 'my'],
  [0x10a0, 0x10ff, 'ka'],
  [0x1100, 0x11ff, 'ko'],
  [0x1200, 0x139f, 'am'],
  [0x1780, 0x17ff, 'km'],
  [0x1c50, 0x1c7f, 'sat'],
  [0x1f00, 0x1fff, 'el'],
  [0x3041, 0x3096, 'ja'],
  [0x30a1, 0x30fa, 'ja'],
  [0xac00, 0xd7af, 'ko'],
];

/** Blocks by row of 16 code units. Scanning all for each letter took a third of an import. */
const BLOCK_BY_ROW = new Array<Block | undefined>(0x10000 / 16).fill(undefined);
for (const block of BLOCKS) BLOCK_BY_ROW.fill(block, block[0] >> 4, (block[1] >> 4) + 1);
const FIRST_BLOCK_UNIT = 0x0370;

const HAN = /\p{Script=Han}/u;
/** Letters of the Bengali block that only Assamese uses. */
const ASSAMESE_LETTERS = /[\u09f0\u09f1]/;

/** BCP 47 tag; undefined if the letters point to no language or to several. */
export function guessLanguage(name: string): string | undefined {
  let found: string | undefined;
  for (let i = 0; i < name.length; i++) {
    const unit = name.charCodeAt(i);
    if (unit < FIRST_BLOCK_UNIT) {
      // a single Latin letter rules out all blocks: "Θ-Stadt" is not Greek
      if (isLatinLetter(unit)) return undefined;
      continue;
    }
    const language = languageOfUnit(unit);
    if (language === undefined) continue;
    if (found !== undefined && found !== language) return undefined;
    found = language;
  }
  // Han with kana is Japanese, and Han with Hangul is Korean
  if (found !== undefined && found !== 'ja' && found !== 'ko' && HAN.test(name)) return undefined;
  return found === 'bn' && ASSAMESE_LETTERS.test(name) ? 'as' : found;
}

function languageOfUnit(unit: number): string | undefined {
  const block = BLOCK_BY_ROW[unit >> 4];
  return block !== undefined && unit >= block[0] && unit <= block[1] ? block[2] : undefined;
}

function isLatinLetter(unit: number): boolean {
  const lowerCased = unit | 0x20;
  const isAsciiLetter = lowerCased >= 0x61 && lowerCased <= 0x7a;
  const isAccentedLetter = unit >= 0xc0 && unit <= 0x24f;
  return isAsciiLetter || isAccentedLetter;
}
