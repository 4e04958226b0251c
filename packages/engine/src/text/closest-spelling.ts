/**
 * Finds out which spelling of a name the user typed, perhaps with typos. Apart from typo-matcher.ts,
 * because spellings need the Chinese dictionaries, which most commands never load.
 */
import { listSpellings } from './spellings.ts';
import { isWithinTypos } from './typo-matcher.ts';
import { wordStarts } from './words.ts';

export interface ClosestSpelling {
  readonly spelling: string;
  /** Offset in `spelling` of the word that the text starts at. */
  readonly from: number;
  /** Lowest possible offset in `spelling` of the text's end. */
  readonly to: number;
  readonly typos: number;
}

/** The spelling that the folded text matches with the fewest typos, starting at any word. */
export function closestSpelling(
  name: string,
  text: string,
  { maxTypos, isPrefix }: { readonly maxTypos: number; readonly isPrefix: boolean },
): ClosestSpelling | undefined {
  const spellings = listSpellings(name).map((spelling) => {
    const list = Uint16Array.from(spelling.split(''), (unit) => unit.charCodeAt(0));
    return { spelling, list, starts: wordStarts(spelling) };
  });
  for (let typos = 0; typos <= maxTypos; typos++) {
    for (const { spelling, list, starts } of spellings) {
      for (const from of starts) {
        const letters = { list, from, to: list.length };
        if (!isWithinTypos(text, letters, { maxTypos: typos, isPrefix })) continue;
        return { spelling, from, to: from + text.length - typos, typos };
      }
    }
  }
  return undefined;
}
