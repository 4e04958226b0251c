/**
 * The names of a place from two lists of one source: without languages (a GeoNames dump's own column) and with them.
 * A text that has a language in one list is not repeated without one, and the preferred name of each language is its first.
 */
import type { PlaceName } from '../../place/place.ts';
import type { AlternateName } from './alternate-row.ts';

/** `names` starts with the main name, which stays first as it is. */
export function mergeNames(names: readonly PlaceName[], tagged: readonly AlternateName[]): PlaceName[] {
  const [main] = names;
  if (main === undefined || tagged.length === 0) return [...names];
  const merged: PlaceName[] = [main];
  const texts = new Set([main.value]);
  const pairs = new Set<string>();
  // A text that was there in another language waits at the end: only so many names of a place can be searched, and this one
  // can be found already. It must not wait behind a lesser name of its own language, though.
  const waiting = new Map<string, PlaceName[]>();
  for (const name of [...tagged].sort((a, b) => a.order - b.order)) {
    const pair = `${name.language}\t${name.value}`;
    if (pairs.has(pair)) continue;
    pairs.add(pair);
    const { value, kind, language } = name;
    if (kind === 'wikidata') continue;
    const made = language === '' ? { value, kind } : { value, kind, language };
    if (!texts.has(value)) {
      texts.add(value);
      merged.push(...(waiting.get(language) ?? []), made);
      waiting.delete(language);
    } else if (language !== '') {
      const others = waiting.get(language);
      if (others === undefined) waiting.set(language, [made]);
      else others.push(made);
    }
  }
  for (const name of names) if (!texts.has(name.value)) merged.push(name);
  for (const others of waiting.values()) merged.push(...others);
  return merged;
}
