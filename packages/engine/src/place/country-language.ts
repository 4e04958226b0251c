/** The main languages of countries, as far as Node.js knows them. */

/** Countries where large areas call their places in another language than the main one. */
const WITH_SEVERAL_LANGUAGES = new Set(['BE', 'CA', 'CH', 'ES', 'FI', 'ZA']);

const UNKNOWN_COUNTRY = 'ZZ';
const locales = new Map<string, Intl.Locale>();

/** The language that most people in a country speak, as a BCP 47 tag. */
export function countryLanguage(country: string): string | undefined {
  return countryLocale(country).language;
}

/** The same, if people write it in Latin letters and all places of the country are called in it. */
export function onlyLatinLanguage(country: string): string | undefined {
  const { language, script } = countryLocale(country);
  return script === 'Latn' && !WITH_SEVERAL_LANGUAGES.has(country) ? language : undefined;
}

function countryLocale(country: string): Intl.Locale {
  let locale = locales.get(country);
  if (locale === undefined) {
    const isKnown = /^[A-Z]{2}$/.test(country) && country !== UNKNOWN_COUNTRY;
    locale = isKnown ? new Intl.Locale(`und-${country}`).maximize() : new Intl.Locale('und');
    locales.set(country, locale);
  }
  return locale;
}
