/**
 * The languages of scripts that serve several languages: which letters each language has, and how
 * it spells foreign names. A place's Cyrillic names, for example, are often in ten languages.
 */

/**
 * A spelling that makes a name more likely (points above 0) or less likely to be in a language. The
 * points count once per match, so `spelling` needs the flag g. They are added to the similarity of
 * the name to the place's main name, which is from 0 to 1.
 */
type Habit = readonly [spelling: RegExp, points: number];

export interface ScriptLanguage {
  /** BCP 47 tag of the language. */
  readonly tag: string;
  /** Matches names, in lower case and without anything but letters, that the language can spell. */
  readonly letters: RegExp;
  /** If set, only names (in lower case) that match it count: they are surely in the language. */
  readonly proof?: RegExp;
  /** Countries whose names need no proof: codes, separated by spaces. */
  readonly countries?: string;
  readonly habits?: readonly Habit[];
}

/** Matches no name: a language that shares all its letters gets names only in its `countries`. */
const NO_PROOF = /$^/;
/** In names of Japanese places: Russian and Ukrainian write sh, ch, j and ts as с, т, дз and ц. */
export const HABITS_FOR_JAPAN: readonly Habit[] = [[/[шж]|ч[аиу]|тс/g, -0.2]];

const CYRILLIC: readonly ScriptLanguage[] = [
  {
    tag: 'ru',
    letters: /^[а-яё]+$/,
    habits: [
      // New York is Нью-Йорк, but Ню Йорк in Bulgarian; ё is not Bulgarian at all
      [/[ьй]/g, 0.04],
      [/-/g, 0.05],
      [/ё/g, 0.03],
      // э stands at the start or after a vowel; after a consonant it is mostly Belarusian
      [/(?<=^|[аеиоу -])э/g, 0.06],
      [/(?<=[бвгджзклмнпрстфхцчшщ])э/g, -0.1],
      // Belarusian and Kyrgyz write a foreign i as ы
      [/ы/g, -0.08],
      // Russian writes -ия, -уя and ц instead: Падуя
      [/[иу]а$|тс/g, -0.1],
      // ъ is Bulgarian except before е, ё, ю and я; гь, къ and the like are Caucasian
      [/ъ(?![еёюя])|[гкх][ьъ]/g, -0.3],
      // a Ukrainian ending
      [/[сц]ьк/g, -1],
    ],
  },
  {
    tag: 'uk',
    // Without a Ukrainian letter (і, ї, є, ґ), a name is Russian if it has и where Ukrainian writes
    // і: after one of these consonants, before a vowel, or at the end.
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
  // Ukrainian has і too, and Russian has ы and э; of the three, only Belarusian has both
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
    // other languages share each of these letters but ұ; only Kazakh has letters of both groups
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
      // the dot below, ai and the English o, which Marathi and Nepali write less
      [/[\u093cैॉ]/g, 0.05],
    ],
  },
  { tag: 'mr', letters: /^[\u0900-\u097f]+$/, proof: /[ळॲॅ]|व्ह/ },
  { tag: 'ne', letters: /^[\u0900-\u097f]+$/, proof: NO_PROOF, countries: 'NP' },
];

/** `script` matches names whose letters are all of the script; `\P{L}` is anything but a letter. */
export const SHARED_SCRIPTS: readonly { readonly script: RegExp; readonly languages: readonly ScriptLanguage[] }[] = [
  { script: /^[\u0400-\u052f\P{L}]+$/u, languages: CYRILLIC },
  { script: /^[\u0600-\u06ff\P{L}]+$/u, languages: ARABIC },
  { script: /^[\u0590-\u05ff\P{L}]+$/u, languages: HEBREW },
  { script: /^[\u0900-\u097f\P{L}]+$/u, languages: DEVANAGARI },
];
