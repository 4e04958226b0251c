/** Chooses the names of regions to show in other languages. */
import type { Translations } from '../../place/place.ts';

interface TaggedName {
  readonly value: string;
  /** BCP 47 tag; empty or absent if unknown. */
  readonly language?: string;
}

/** The first name in each language. Skips names of unknown language. */
export function firstNameByLanguage(names: Iterable<TaggedName>): Translations {
  const byLanguage = new Map<string, string>();
  for (const { value, language = '' } of names) {
    if (language !== '' && !byLanguage.has(language)) byLanguage.set(language, value);
  }
  return byLanguage;
}
