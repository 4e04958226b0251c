/** Puts text into lines that fit the terminal. */
import { displayWidth } from './display-width.ts';
import { joinText, type Text } from './styled-text.ts';

/** Of terminals that do not tell their width. */
const USUAL_WIDTH = 80;

const FINAL_COMMAND = /(?<=: )(?:npx |sudo )?(?:toponym|chmod|chown) .*$/s;

/** Infinite without a terminal, so that programs read one row per line. */
export function terminalWidth(stream: NodeJS.WriteStream = process.stdout): number {
  return stream.isTTY ? stream.columns || USUAL_WIDTH : Number.POSITIVE_INFINITY;
}

/** Joins parts into lines at most `width` wide. A wider part gets its own line. */
export function fillLines(parts: readonly Text[], separator: string, width: number): Text[] {
  const lines: { readonly parts: Text[]; width: number }[] = [];
  for (const part of parts) {
    const last = lines.at(-1);
    const partWidth = displayWidth(part);
    const widthWithPart = (last?.width ?? 0) + separator.length + partWidth;
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
