/** Facts of a hit as people read them. */

/** From a letter to its regional indicator. */
const INDICATOR_OFFSET = 0x1f1e6 - 'A'.charCodeAt(0);

/** The emoji of a country's flag. Fonts without flags show its two letters. */
export function flagOf(countryCode: string): string {
  if (!/^[a-z]{2}$/i.test(countryCode)) return '';
  const letters = [...countryCode.toUpperCase()];
  return String.fromCodePoint(...letters.map((letter) => letter.charCodeAt(0) + INDICATOR_OFFSET));
}

/** How many characters of the name the user typed, and maybe more after it. 0 if they differ. */
export function typedLength(name: string, typed: string): number {
  const length = Math.min(name.length, typed.length);
  return name.slice(0, length).toLowerCase() === typed.slice(0, length).toLowerCase() ? length : 0;
}

/** From this confidence on, docs/api.md advises to take the first hit without asking. */
const CERTAIN = 0.95;

export function isCertain({ confidence = 0 }: { readonly confidence?: number | undefined }): boolean {
  return confidence >= CERTAIN;
}

/** `<1%` and `>99%` because a confidence is never 0 or 1. */
export function percentOf(share: number): string {
  if (share < 0.01) return '<1%';
  return share >= 0.995 ? '>99%' : `${Math.round(share * 100)}%`;
}

/** Such as 2.14M in English. */
export function shortNumber(value: number, locale: string): string {
  return new Intl.NumberFormat(locale, { notation: 'compact', maximumSignificantDigits: 3 }).format(value);
}

/** A wait, such as 30 sec, 5 min or 20 hr in English. */
export function waitText(seconds: number, locale = 'en'): string {
  const [value, unit]: [number, string] =
    seconds < 100 ? [seconds, 'second'] : seconds < 6000 ? [seconds / 60, 'minute'] : [seconds / 3600, 'hour'];
  return new Intl.NumberFormat(locale, { style: 'unit', unit }).format(Math.ceil(value));
}

const CHARACTERS: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };

/**
 * Reads `_highlightResult`: HTML with matched parts in `<em>` and everything else escaped. Texts at odd
 * indexes are matches; the others may be empty.
 */
export function highlightParts(html: string): string[] {
  return html.split(/<\/?em>/).map(unescaped);
}

function unescaped(html: string): string {
  return html.replace(/&(\w+|#39);/g, (entity, name) => CHARACTERS[name] ?? entity);
}
