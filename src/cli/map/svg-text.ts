/** Text in SVG: escaped for XML, and measured without a font. */

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
/** Characters that XML 1.0 forbids, and control characters, which nobody can see. */
const FORBIDDEN = /[^\u0020-\u007e\u00a0-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u;
const GRAPHEMES = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** For the content of elements and for attributes in quotes. */
export function escapeXml(text: string): string {
  return text.replace(FORBIDDEN, '\ufffd').replace(/[&<>"']/g, (character) => ESCAPES[character] ?? '');
}

/** Estimated width in pixels; rather too large, because fonts differ. */
export function textWidth(text: string, fontSize: number): number {
  let ems = 0;
  for (const { segment } of GRAPHEMES.segment(text)) ems += widthInEms(segment);
  return ems * fontSize;
}

function widthInEms(grapheme: string): number {
  if (WIDE.test(grapheme)) return 1;
  if (/^[ ·,.]/.test(grapheme)) return 0.34;
  if (/^[iljtfrI.,:;'’!|() -]/.test(grapheme)) return 0.39;
  return /^[mwMW\p{Lu}]/u.test(grapheme) ? 0.78 : 0.62;
}

export function shortenText(text: string, fontSize: number, maxWidth: number): string {
  if (textWidth(text, fontSize) <= maxWidth) return text;
  let shortened = '';
  for (const { segment } of GRAPHEMES.segment(text)) {
    if (textWidth(`${shortened}${segment}…`, fontSize) > maxWidth) break;
    shortened += segment;
  }
  return `${shortened.trimEnd()}…`;
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
