/** Names of regions in other languages. */
import type { Translations } from '../../place/place.ts';

interface TaggedName {
  readonly value: string;
  /** BCP 47 tag; empty or absent if unknown. */
  readonly language?: string;
}

/** The first name of each language. Skips names of unknown language. */
export function firstNames(names: Iterable<TaggedName>): Translations {
  const first = new Map<string, string>();
  for (const { value, language = '' } of names) {
    if (language !== '' && !first.has(language)) first.set(language, value);
  }
  return first;
}
