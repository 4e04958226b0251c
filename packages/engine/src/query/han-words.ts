/** Splits words in Chinese characters: "神奈川県横浜市" is a region and a city. */
import type { Word } from '../text/fold.ts';
import { startsWithHan, withoutHanSuffix } from '../text/han-variants.ts';

/** Looks up folded texts. */
export interface Lexicon {
  /** Whether some name begins with the text. */
  startsName(text: string): boolean;
  isRegion(text: string): boolean;
}

/** Longer words are not split, to bound the number of lookups. */
const MAX_LENGTH = 24;

export function splitHanWords(words: readonly Word[], lexicon: Lexicon): readonly Word[] {
  if (!words.some(({ text }) => startsWithHan(text))) return words;
  return words.flatMap((word) => {
    if (!isSplittable(word) || lexicon.startsName(word.text) || lexicon.isRegion(word.text)) return [word];
    return createWords(splitText(word.text, lexicon) ?? [word.text], word, lexicon);
  });
}

/** Whether the word may be split. If folding changed its length, offsets of parts are unknown. */
function isSplittable({ text, start, end }: Word): boolean {
  return startsWithHan(text) && text.length <= MAX_LENGTH && text.length === end - start;
}

/**
 * The first of these that fits: the whole text as a name; regions before a name; a name before a
 * region; a name before other text.
 */
function splitText(text: string, lexicon: Lexicon): string[] | undefined {
  if (mayBeName(text, lexicon)) return [text];
  // every split in two, longest start first
  const splits = Array.from(
    { length: text.length - 1 },
    (_, i) => [text.slice(0, -1 - i), text.slice(-1 - i)] as const,
  );
  for (const [start, end] of splits) {
    const rest = lexicon.isRegion(start) ? splitText(end, lexicon) : undefined;
    if (rest !== undefined) return [start, ...rest];
  }
  const split =
    splits.findLast(([start, end]) => lexicon.isRegion(end) && mayBeName(start, lexicon)) ?? // the longest region
    splits.find(([start]) => start.length > 1 && mayBeName(start, lexicon));
  return split === undefined ? undefined : [...split];
}

function mayBeName(text: string, lexicon: Lexicon): boolean {
  return lexicon.startsName(text) || lexicon.startsName(withoutHanSuffix(text));
}

/** A word for each part. A part that is not in the lexicon loses its suffix. */
function createWords(parts: readonly string[], word: Word, lexicon: Lexicon): Word[] {
  let start = word.start;
  return parts.map((part, i) => {
    const end = start + part.length;
    const isInLexicon = lexicon.startsName(part) || lexicon.isRegion(part);
    const created = {
      text: isInLexicon ? part : withoutHanSuffix(part),
      start,
      end,
      isAfterComma: i === 0 && word.isAfterComma,
    };
    start = end;
    return created;
  });
}
