/**
 * The languages of scripts that serve several languages: which letters each language has, and how
 * it spells foreign names. A place's Cyrillic names, for example, are often in ten languages.
 */

/** A spelling that makes a name more likely (points above 0) or less likely to be in a language. */
type Habit = readonly [spelling: RegExp, points: number];

export interface ScriptLanguage {
  readonly language: string;
  /** Matches the names that have only letters of the language, in lower case, without spaces. */
  readonly letters: RegExp;
  /**
   * Matches the names, in lower case, that are surely in the language. Other names with the right
   * letters count only in `countries`; without `sure`, they count everywhere.
   */
  readonly sure?: RegExp;
  /** Codes of the countries that write their places' names in the language. */
  readonly countries: string;
  readonly habits: readonly Habit[];
}

const NO_HABITS: readonly Habit[] = [];
/** Russian and Ukrainian write the Japanese sh, ch and j as s, t and dz. */
export const HABITS_IN_JAPAN: readonly Habit[] = [[/[шж]|ч[аиу]|тс/g, -0.2]];

const CYRILLIC: readonly ScriptLanguage[] = [
  {
    language: 'ru',
    letters: /^[а-яё]+$/,
    countries: 'RU BY KZ KG',
    habits: [
      [/[ьй]/g, 0.04],
      [/-/g, 0.05],
      [/ё/g, 0.03],
      // э stands at the start or after a vowel; after a consonant it is mostly Belarusian
      [/(?<=^|[аеиоу -])э/g, 0.06],
      [/(?<=[бвгджзклмнпрстфхцчшщ])э/g, -0.1],
      // Belarusian and Kyrgyz write a foreign i as ы
      [/ы/g, -0.08],
      [/[иу]а$|тс/g, -0.1],
      [/ъ(?![еёюя])|[гкх][ьъ]/g, -0.3],
      // a Ukrainian ending
      [/[сц]ьк/g, -1],
    ],
  },
  {
    language: 'uk',
    // a name that has и where Ukrainian writes і is Russian
    letters: /^(?!(?!.*[іїєґ]).*([бвгйклмнпфх]и|и([аеиоуюя]|$)))[а-щьюяґєії]+$/,
    countries: 'UA',
    habits: [
      [/[ьйіїє]/g, 0.04],
      [/-/g, 0.05],
      [/и/g, -0.08],
      [/[иу]а$|ьо|тс(?=[ауио])/g, -0.1],
      [/[гкх]ь/g, -0.3],
    ],
  },
  { language: 'be', letters: /^[а-зй-шыьэюяёіў]+$/, sure: /ў|і.*[ыэ]|[ыэ].*і/, countries: 'BY', habits: NO_HABITS },
  {
    language: 'bg',
    letters: /^[а-ъьюя]+$/,
    sure: /[бвгджзклмнпрстфхцчшщ]ъ[бвгджзклмнпрстфхцчшщ]/,
    countries: 'BG',
    habits: NO_HABITS,
  },
  {
    language: 'sr',
    letters: /^[абвгдђежзијклљмнњопрстћуфхцчџш]+$/,
    sure: /[ђћ]/,
    countries: 'RS BA ME',
    habits: NO_HABITS,
  },
  {
    language: 'mk',
    letters: /^[абвгдѓежзѕијклљмнњопрстќуфхцчџш]+$/,
    sure: /[ѓќѕ]/,
    countries: 'MK',
    habits: NO_HABITS,
  },
  {
    language: 'kk',
    letters: /^[а-яёәғқңөұүһі]+$/,
    sure: /[ұ]|[әқғ].*[іңөү]|[іңөү].*[әқғ]/,
    countries: 'KZ',
    habits: NO_HABITS,
  },
  { language: 'ky', letters: /^[а-яёңөү]+$/, sure: /$^/, countries: 'KG', habits: NO_HABITS },
  { language: 'mn', letters: /^[а-яёөү]+$/, sure: /$^/, countries: 'MN', habits: NO_HABITS },
  { language: 'tg', letters: /^[а-яёғӣқӯҳҷ]+$/, sure: /[ӣӯҷ]/, countries: 'TJ', habits: NO_HABITS },
];

const ARABIC_COUNTRIES = 'AE BH DJ DZ EG EH IQ JO KM KW LB LY MA MR OM PS QA SA SD SO SY TD TN YE';

const ARABIC: readonly ScriptLanguage[] = [
  {
    language: 'ar',
    letters: /^[ءآأؤإئابةتثجحخدذرزسشصضطظعغفقكلمنهوىي]+$/,
    countries: ARABIC_COUNTRIES,
    habits: [
      [/[أإة]/g, 0.04],
      // an Egyptian spelling
      [/ى/g, -0.1],
      [/^ال/g, 0.25],
    ],
  },
  {
    language: 'fa',
    letters: /^[ءآئابتثجحخدذرزسشصضطظعغفقلمنهوپچژکگی]+$/,
    countries: 'IR AF',
    habits: [
      [/[پچژگ]/g, 0.04],
      // Urdu writes more of the short vowels
      [/ی(?!$)/g, -0.08],
      [/^ال|ئی/g, -0.1],
    ],
  },
  {
    language: 'ur',
    letters: /^[ءآئابپتٹثجچحخدڈذرڑزژسشصضطظعغفقکگلمنںوؤہھیےۓ]+$/,
    sure: /[ٹڈڑںےہھ]/,
    countries: 'PK',
    habits: NO_HABITS,
  },
];

const HEBREW: readonly ScriptLanguage[] = [
  {
    language: 'he',
    letters: /^[א-ת]+$/,
    countries: 'IL',
    habits: [
      // Yiddish writes vowels as ע and א
      [/ע/g, -0.1],
      [/א/g, -0.04],
    ],
  },
];

const DEVANAGARI: readonly ScriptLanguage[] = [
  {
    language: 'hi',
    letters: /^[\u0900-\u0932\u0934-\u0944\u0946-\u0971\u0973-\u097f]+$/,
    countries: 'IN',
    habits: [
      // Marathi spellings
      [/ॅ|ॲ|झ|व्ह/g, -0.1],
      [/[\u093cैॉ]/g, 0.05],
    ],
  },
  { language: 'mr', letters: /^[\u0900-\u097f]+$/, sure: /[ळॲॅ]|व्ह/, countries: '', habits: NO_HABITS },
  { language: 'ne', letters: /^[\u0900-\u097f]+$/, sure: /$^/, countries: 'NP', habits: NO_HABITS },
];

/** The languages by script, and a letter range that tells the script from all others. */
export const SHARED_SCRIPTS: readonly { readonly script: RegExp; readonly languages: readonly ScriptLanguage[] }[] = [
  { script: /^[\u0400-\u052f\P{L}]+$/u, languages: CYRILLIC },
  { script: /^[\u0600-\u06ff\P{L}]+$/u, languages: ARABIC },
  { script: /^[\u0590-\u05ff\P{L}]+$/u, languages: HEBREW },
  { script: /^[\u0900-\u097f\P{L}]+$/u, languages: DEVANAGARI },
];
