/**
 * Finds the names in common use: those with a word that sounds like a word of the main name, or
 * with a first word that sounds like the first word of another name. Other alternate names are
 * mostly former names or nicknames: "Franklin" for Columbus.
 */
import { type PlaceName, SEVERAL_LANGUAGES } from '../../place/place.ts';
import { fold } from '../../text/fold.ts';
import { phoneticSkeletons } from '../../text/skeleton.ts';

const LATIN = /^[a-z0-9 ]+$/;

/** The main name, nicknames and non-Latin names always count as in use. */
export function areInUse(names: readonly PlaceName[]): boolean[] {
  if (names.length === 1) return [true];
  const folded = names.map(({ value }) => fold(value));
  const namesByFirstSkeleton = new Map<string, Set<string>>();
  folded.forEach((text, i) => {
    if (names[i]!.kind === 'postcode') return;
    const [skeleton = ''] = phoneticSkeletons(text);
    namesByFirstSkeleton.set(skeleton, (namesByFirstSkeleton.get(skeleton) ?? new Set()).add(text));
  });
  const [main = ''] = folded;
  // all words as one, too: Killarney sounds like Cill Airne
  const mainSkeletons = new Set(phoneticSkeletons(`${main} ${main.replaceAll(' ', '')}`));
  return folded.map((text, i) => {
    if (i === 0 || names[i]!.language === SEVERAL_LANGUAGES || !LATIN.test(text)) return true;
    const skeletons = phoneticSkeletons(text);
    const similarNames = namesByFirstSkeleton.get(skeletons[0] ?? '')?.size ?? 0; // including this one
    return skeletons.some((skeleton) => mainSkeletons.has(skeleton)) || similarNames > 1;
  });
}
