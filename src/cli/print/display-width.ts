/** How many columns of a terminal a text takes, and cutting it to a width. */
import type { Text } from './styled-text.ts';

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });
/** Marks on the previous letter, format characters, and the second half of a Korean syllable. */
const ZERO_WIDTH = /^[\p{Mn}\p{Me}\p{Cf}\u1160-\u11ff\ud7b0-\ud7fb]$/u;
/** East Asian wide and full-width characters, and emoji. */
const WIDE =
  /^[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6b\uff01-\uff60\uffe0-\uffe6\u{16fe0}-\u{18cff}\u{1aff0}-\u{1b2ff}\u{1f200}-\u{1f265}\u{20000}-\u{3fffd}\p{Emoji_Presentation}]$/u;
const EMOJI_SEQUENCE = /\p{Extended_Pictographic}[\u200d\ufe0f\u{1f3fb}-\u{1f3ff}]|\p{Regional_Indicator}{2}/u;

export function displayWidth(text: Text): number {
  return graphemesOf(String(text)).reduce((width, grapheme) => width + graphemeWidth(grapheme), 0);
}

/** Ends a text that is too wide with an ellipsis. Never splits a character from its marks. */
export function shorten(text: string, width: number, widthOf: (text: string) => number = displayWidth): string {
  if (widthOf(text) <= width) return text;
  let shortened = '';
  for (const grapheme of graphemesOf(text)) {
    if (widthOf(`${shortened}${grapheme}…`) > width) break;
    shortened += grapheme;
  }
  return `${shortened.trimEnd()}…`;
}

/** The characters of a text as readers see them, with their marks. */
export function graphemesOf(text: string): string[] {
  return Array.from(graphemes.segment(text), ({ segment }) => segment);
}

function graphemeWidth(grapheme: string): number {
  if (EMOJI_SEQUENCE.test(grapheme)) return 2;
  let width = 0;
  for (const character of grapheme) {
    if (!ZERO_WIDTH.test(character)) width += WIDE.test(character) ? 2 : 1;
  }
  return width;
}
