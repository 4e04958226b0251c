/**
 * Merges two lists of a place's names: one without languages (from a GeoNames dump) and one with
 * languages. A name with a language is not repeated without one, and the preferred name of a
 * language comes first.
 */
import type { PlaceName } from '../../place/place.ts';
import type { AlternateName } from './alternate-row.ts';

/** `names` starts with the main name, which stays first and unchanged. */
export function mergeNames(names: readonly PlaceName[], tagged: readonly AlternateName[]): PlaceName[] {
  const [main] = names;
  if (main === undefined || tagged.length === 0) return [...names];
  const merged: PlaceName[] = [main];
  const texts = new Set([main.value]);
  const pairs = new Set<string>();
  // A name that already occurred in another language is moved to the end, because only a limited
  // number of names is searchable. But it stays before less preferred names of its own language.
  const deferred = new Map<string, PlaceName[]>();
  for (const name of [...tagged].sort((a, b) => a.order - b.order)) {
    const pair = `${name.language}\t${name.value}`;
    if (pairs.has(pair)) continue;
    pairs.add(pair);
    const { value, kind, language } = name;
    if (kind === 'wikidata') continue;
    const entry = language === '' ? { value, kind } : { value, kind, language };
    if (!texts.has(value)) {
      texts.add(value);
      merged.push(...(deferred.get(language) ?? []), entry);
      deferred.delete(language);
    } else if (language !== '') {
      const others = deferred.get(language);
      if (others === undefined) deferred.set(language, [entry]);
      else others.push(entry);
    }
  }
  for (const name of names) if (!texts.has(name.value)) merged.push(name);
  for (const others of deferred.values()) merged.push(...others);
  return merged;
}
