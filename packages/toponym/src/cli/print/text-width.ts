/**
 * Fits text into a terminal: how wide it is, and how it is cut or broken into lines. Terminals count
 * as glibc's `wcwidth` does. So does the package string-width since version 9, but it takes 40 ms to
 * load, at each press of Tab, and would replace 20 lines by four packages.
 */
import { joinText, type Text } from './styled-text.ts';

/** Assumed for terminals that do not report their width. */
const USUAL_WIDTH = 80;

const FINAL_COMMAND = /(?<=: )(?:npx |sudo )?(?:toponym|chmod|chown) .*$/s;
const ASCII = /^[ -~]*$/;
/** Created for the first text that is not ASCII, because that takes 20 ms. */
let graphemes: Intl.Segmenter | undefined;
/** Marks on the previous letter, format characters, and the second half of a Korean syllable. */
const ZERO_WIDTH = /^[\p{Mn}\p{Me}\p{Cf}\u1160-\u11ff\ud7b0-\ud7fb]$/u;
/** East Asian wide and full-width characters, and emoji. */
const WIDE =
  /^[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6b\uff01-\uff60\uffe0-\uffe6\u{16fe0}-\u{18cff}\u{1aff0}-\u{1b2ff}\u{1f200}-\u{1f265}\u{20000}-\u{3fffd}\p{Emoji_Presentation}]$/u;
const EMOJI_SEQUENCE = /\p{Extended_Pictographic}[\u200d\ufe0f\u{1f3fb}-\u{1f3ff}]|\p{Regional_Indicator}{2}/u;

/** Infinite without a terminal, so that programs read one row per line. */
export function terminalWidth(stream: NodeJS.WriteStream = process.stdout): number {
  return stream.isTTY ? stream.columns || USUAL_WIDTH : Number.POSITIVE_INFINITY;
}

export function displayWidth(text: Text): number {
  return graphemesOf(String(text)).reduce((width, grapheme) => width + graphemeWidth(grapheme), 0);
}

/** Ends a text that is too wide with an ellipsis. Never splits a character from its marks. */
export function shorten(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  let shortened = '';
  for (const grapheme of graphemesOf(text)) {
    if (displayWidth(`${shortened}${grapheme}…`) > width) break;
    shortened += grapheme;
  }
  return `${shortened.trimEnd()}…`;
}

/** The characters of a text as readers see them, with their marks. */
function graphemesOf(text: string): string[] {
  if (ASCII.test(text)) return [...text];
  graphemes ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  return Array.from(graphemes.segment(text), ({ segment }) => segment);
}

/** Joins parts into lines at most `width` wide. A wider part gets its own line. */
export function fillLines(parts: readonly Text[], separator: string, width: number): Text[] {
  const lines: { readonly parts: Text[]; width: number }[] = [];
  for (const part of parts) {
    const last = lines.at(-1);
    const partWidth = displayWidth(part);
    const widthWithPart = (last?.width ?? 0) + displayWidth(separator) + partWidth;
    if (last === undefined || widthWithPart > width) lines.push({ parts: [part], width: partWidth });
    else {
      last.parts.push(part);
      last.width = widthWithPart;
    }
  }
  return lines.map((line) => (line.parts.length === 1 ? (line.parts[0] ?? '') : joinText(line.parts, separator)));
}

/**
 * Breaks a text between words. A word that is too wide stays whole, and so does a command after a
 * colon at the end of the text: paths and commands can be copied.
 */
export function wrapWords(text: string, width: number): string[] {
  if (width === Number.POSITIVE_INFINITY) return [text];
  const [command] = FINAL_COMMAND.exec(text) ?? [];
  const words = text.slice(0, text.length - (command?.length ?? 0)).split(' ');
  const parts = command === undefined ? words : [...words.slice(0, -1), command]; // the last word is empty
  return fillLines(parts, ' ', width).map(String);
}

function graphemeWidth(grapheme: string): number {
  if (EMOJI_SEQUENCE.test(grapheme)) return 2;
  let width = 0;
  for (const character of grapheme) {
    if (!ZERO_WIDTH.test(character)) width += WIDE.test(character) ? 2 : 1;
  }
  return width;
}
