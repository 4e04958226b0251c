/**
 * Which of a place's alternate names are names the world uses for it. An exonym is heard: it sounds like the main name,
 * or other languages have it too. A name that stands alone is mostly a former or a nick name ("Franklin" for Columbus),
 * and must not put a large city before the places that bear that name today.
 */
import type { PlaceName } from '../../place/place.ts';
import { fold } from '../../text/fold.ts';
import { skeletonsOf } from '../../text/skeleton.ts';

const LATIN = /^[a-z0-9 ]+$/;

/** For each name, whether it is the main one, sounds like it, or is one of several alike. */
export function supportedNames(names: readonly PlaceName[]): boolean[] {
  if (names.length === 1) return [true];
  const folded = names.map(({ value }) => fold(value));
  const counts = new Map<string, Set<string>>();
  folded.forEach((text) => {
    const [first = ''] = skeletonsOf(text);
    counts.set(first, (counts.get(first) ?? new Set()).add(text));
  });
  const main = new Set(skeletonsOf(folded[0] ?? ''));
  return folded.map((text, i) => {
    if (i === 0 || !LATIN.test(text)) return true;
    const skeletons = skeletonsOf(text);
    return skeletons.some((skeleton) => main.has(skeleton)) || (counts.get(skeletons[0] ?? '')?.size ?? 0) > 1;
  });
}
