/**
 * Language tags as BCP 47 wants them, from the several ways gazetteers write them: `zh_TW`, `ara` for `ar`, `sh` for `sr-Latn`.
 * So one language has one tag in the index, whatever the source.
 */
const canonical = new Map<string, string>();

/** The tag itself where it has no better form. */
export function canonicalLanguage(tag: string): string {
  const known = canonical.get(tag);
  if (known !== undefined) return known;
  const found = canonicalForm(tag.replaceAll('_', '-')) ?? tag;
  canonical.set(tag, found);
  return found;
}

function canonicalForm(tag: string): string | undefined {
  try {
    return Intl.getCanonicalLocales(tag)[0];
  } catch {
    // not of the form of a tag at all
    return undefined;
  }
}
