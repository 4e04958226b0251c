/** Canonical BCP 47 language tags. Gazetteers also write `zh_TW`, or `ara` for `ar`. */

const cache = new Map<string, string>();

/** The canonical form, or the tag itself if it is not well-formed. */
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
