/**
 * Merges a place's names in a GeoNames dump with those in alternateNamesV2.txt, which mostly state
 * their language. The preferred name of each language comes before its other names. Postcodes come
 * last, because only the first MAX_NAMES names (build/names/name-keys.ts) are searchable.
 */
import type { PlaceName } from '../../place/place.ts';
import type { AlternateName } from './alternate-row.ts';

/** `names` are those of the dump. The first is the main name and stays first. */
export function mergeNames(names: readonly PlaceName[], alternateNames: readonly AlternateName[]): PlaceName[] {
  const [main] = names;
  if (main === undefined || alternateNames.length === 0) return [...names];
  const merged: PlaceName[] = [main];
  const mergedValues = new Set([main.value]);
  const seen = new Set<string>();
  // Names whose value is in `merged` in another language. They come late because only the first
  // MAX_NAMES names are searchable, but before later names of their language.
  const deferredByLanguage = new Map<string, PlaceName[]>();
  const postcodes: PlaceName[] = [];
  for (const { value, kind, language } of [...alternateNames].sort((a, b) => a.order - b.order)) {
    const languageAndValue = `${language}\t${value}`;
    if (seen.has(languageAndValue)) continue;
    seen.add(languageAndValue);
    if (kind === 'wikidata') continue;
    if (kind === 'postcode') {
      postcodes.push({ value, kind });
      continue;
    }
    const name = language === '' ? { value, kind } : { value, kind, language };
    const deferred = deferredByLanguage.get(language) ?? [];
    if (!mergedValues.has(value)) {
      mergedValues.add(value);
      merged.push(...deferred, name);
      deferredByLanguage.delete(language);
    } else if (language !== '') {
      deferredByLanguage.set(language, [...deferred, name]);
    }
  }
  for (const name of names) if (!mergedValues.has(name.value)) merged.push(name);
  for (const deferred of deferredByLanguage.values()) merged.push(...deferred);
  return [...merged, ...postcodes];
}
