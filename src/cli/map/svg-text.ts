/** Text in SVG: escaped for XML, and measured without a font. */
import { escapeHtml } from '../../http/response/json-writer.ts';
import { displayWidth, graphemesOf, shorten } from '../print/text-width.ts';

/** Characters that XML 1.0 forbids, and control characters, which nobody can see. */
const FORBIDDEN = /[^\u0020-\u007e\u00a0-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

/** For the content of elements and for attributes in quotes. */
export function escapeXml(text: string): string {
  return escapeHtml(text.replace(FORBIDDEN, '\ufffd'));
}

/** Estimated width in pixels; rather too large, because fonts differ. */
export function textWidth(text: string, fontSize: number): number {
  return graphemesOf(text).reduce((ems, grapheme) => ems + widthInEms(grapheme), 0) * fontSize;
}

function widthInEms(grapheme: string): number {
  if (displayWidth(grapheme) === 2) return 1;
  if (/^[ ·,.]/.test(grapheme)) return 0.34;
  if (/^[iljtfrI.,:;'’!|() -]/.test(grapheme)) return 0.39;
  return /^[mwMW\p{Lu}]/u.test(grapheme) ? 0.78 : 0.62;
}

export function shortenText(text: string, fontSize: number, maxWidth: number): string {
  return shorten(text, maxWidth, (part) => textWidth(part, fontSize));
}

/** Breaks text at spaces. A word that is too long gets its own line. */
export function wrapText(text: string, fontSize: number, maxWidth: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const longer = lines.length === 0 ? word : `${lines.at(-1)} ${word}`;
    if (lines.length > 0 && textWidth(longer, fontSize) <= maxWidth) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}
