/** A language that names are shown in: its ids in the index, its script, its country names. */
import { SEVERAL_LANGUAGES } from '../place/place.ts';
import { toSimplified, toTraditional } from '../text/han-variants.ts';

/** By language, the tags whose names readers of the language understand, best first. */
const RELATED_LANGUAGES: Readonly<Record<string, readonly string[]>> = {
  zh: ['zh', 'zh-Hant', 'zh-Hans'],
  nb: ['nb', 'no', 'nn'],
  nn: ['nn', 'no', 'nb'],
  no: ['no', 'nb', 'nn'],
};

export class DisplayLanguage {
  /** Language ids of the names to show, best first. */
  readonly ids: readonly number[];
  private readonly letterOfScript: RegExp | undefined;
  readonly isNonLatin: boolean;
  readonly isEnglish: boolean;
  /**
   * Converts a name to the characters of the language. Present for Chinese in one script: `zh-TW`.
   */
  readonly convert: ((name: string) => string) | undefined;
  private readonly countryNames: Intl.DisplayNames | undefined;
  /** By code. Reading a name from Intl took a sixth of a search. */
  private readonly cachedCountryNames = new Map<string, string | undefined>();

  /** `languageIds`: language ids of the index by tag in lower case. */
  constructor(tag: string, languageIds: ReadonlyMap<string, number>) {
    const locale = parseLocale(tag);
    const tags = new Set(fallbackTags(tag, locale).map((fallback) => fallback.toLowerCase()));
    tags.delete(SEVERAL_LANGUAGES); // nicknames are not shown
    this.ids = [...tags].flatMap((fallback) => languageIds.get(fallback) ?? []);
    const script = locale?.maximize().script;
    this.letterOfScript = script === undefined ? undefined : scriptPattern(script);
    this.isNonLatin = script !== undefined && script !== 'Latn';
    this.isEnglish = locale?.language === 'en';
    // `zh` alone asks for no script, so names stay as they are known
    const asksForScript = locale?.language === 'zh' && (locale.script ?? locale.region) !== undefined;
    this.convert = asksForScript ? (script === 'Hant' ? toTraditional : toSimplified) : undefined;
    this.countryNames = locale && createCountryNames(locale);
  }

  isInScript(name: string): boolean {
    return this.letterOfScript?.test(name) ?? false;
  }

  /** The country's name, or undefined if Node.js has none. */
  countryName(code: string): string | undefined {
    let name = this.cachedCountryNames.get(code);
    if (name === undefined) {
      name = this.countryNames?.of(code);
      this.cachedCountryNames.set(code, name);
    }
    return name;
  }
}

function parseLocale(tag: string): Intl.Locale | undefined {
  try {
    return new Intl.Locale(tag);
  } catch {
    return undefined;
  }
}

/**
 * The tag itself, then language and script, then the language if its usual script is the same.
 * Chinese names can be converted, so that those in the other script also count.
 */
function fallbackTags(tag: string, locale: Intl.Locale | undefined): string[] {
  if (locale === undefined) return [tag, tag.split('-')[0] ?? ''];
  const { language, script } = locale.maximize();
  const isUsualScript = new Intl.Locale(language).maximize().script === script;
  const others = RELATED_LANGUAGES[language] ?? (isUsualScript ? [language] : []);
  return [tag, `${language}-${script}`, ...others];
}

/** Matches a letter of the script with this ISO 15924 code. */
function scriptPattern(code: string): RegExp | undefined {
  const scripts: readonly string[] = SCRIPTS_BY_CODE[code] ?? [code];
  try {
    return new RegExp(scripts.map((script) => `\\p{sc=${script}}`).join('|'), 'u');
  } catch {
    return undefined; // a script that Unicode does not have
  }
}

/** ISO 15924 codes that are no Unicode scripts, and the scripts that each stands for. */
const SCRIPTS_BY_CODE: Readonly<Record<string, readonly string[]>> = {
  Hans: ['Hani'],
  Hant: ['Hani'],
  Jpan: ['Hani', 'Hira', 'Kana'],
  Kore: ['Hang'], // without Hani, because few Korean names use it
};

function createCountryNames(locale: Intl.Locale): Intl.DisplayNames | undefined {
  const [supported] = Intl.DisplayNames.supportedLocalesOf([locale]);
  if (supported === undefined) return undefined;
  return new Intl.DisplayNames([supported], { type: 'region', fallback: 'none' });
}
