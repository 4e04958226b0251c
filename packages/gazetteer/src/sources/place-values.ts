/** Values of places that several importers derive: distinct ids, names, types, coordinates, codes and language tags. */
import type { Place, PlaceType } from 'toponym-engine/place/place';

/** The tag of a name in no known language, in NDJSON. */
export const UNKNOWN_LANGUAGE = 'und';

/** A set of ids such as `G2988507`, in a third of the memory of a set of strings. */
export class PlaceIds {
  readonly #numbersByLetter = new Map<string, Set<number>>();

  /** Returns false if the id was already in the set. */
  add(id: string): boolean {
    const letter = id.charAt(0);
    const number = Number(id.slice(1));
    const numbers = this.#numbersByLetter.get(letter);
    if (numbers === undefined) this.#numbersByLetter.set(letter, new Set([number]));
    else if (numbers.has(number)) return false;
    else numbers.add(number);
    return true;
  }
}

const UNTIDY_SPACE = /^\s|\s\s|[^\S ]|\s$/;

/** GeoNames leaves two spaces where it removes a comma from a name. */
export function collapseSpaces(text: string): string {
  return UNTIDY_SPACE.test(text) ? text.replace(/\s+/g, ' ').trim() : text;
}

/** Indexed by `adminRank` (0..5). Seats of unknown population are mostly rural. */
const TYPES_BY_RANK: readonly PlaceType[] = ['hamlet', 'hamlet', 'village', 'village', 'town', 'city'];

/** The type of a place by its population or, if that is unknown, by its administrative rank. */
export function guessType(population: number | undefined, adminRank: number): PlaceType {
  if (population === undefined) return TYPES_BY_RANK[adminRank] ?? 'hamlet';
  if (population >= 100_000) return 'city';
  if (population >= 10_000) return 'town';
  if (population >= 1_000) return 'village';
  return 'hamlet';
}

/** Returns undefined unless the text is a number from -`limit` to `limit`. */
export function parseDegrees(text: string, limit: number): number | undefined {
  if (!/^[+-]?\d+(\.\d*)?(e[+-]?\d+)?$/i.test(text)) return undefined;
  const degrees = Number(text);
  return Math.abs(degrees) <= limit ? degrees : undefined;
}

/** Keys of divisions, such as `US.TX` and `US.TX.113`, by their codes. */
export function divisionKeys(country: string, admin1: string, admin2: string): Pick<Place, 'admin1' | 'admin2'> {
  if (!isDivisionCode(admin1)) return {};
  const key = `${country}.${admin1}`;
  return isDivisionCode(admin2) ? { admin1: key, admin2: `${key}.${admin2}` } : { admin1: key };
}

/** GeoNames writes 00 for places in no particular division. */
function isDivisionCode(code: string): boolean {
  return code !== '' && code !== '00';
}

const cache = new Map<string, string>();

/**
 * The canonical form of a BCP 47 tag, or the tag itself if it is not well-formed. Gazetteers also
 * write `zh_TW`, or `ara` for `ar`.
 */
export function canonicalLanguage(tag: string): string {
  const cached = cache.get(tag);
  if (cached !== undefined) return cached;
  const canonical = canonicalForm(tag.replaceAll('_', '-')) ?? tag;
  cache.set(tag, canonical);
  return canonical;
}

function canonicalForm(tag: string): string | undefined {
  try {
    return Intl.getCanonicalLocales(tag)[0];
  } catch {
    return undefined; // malformed
  }
}
