/** Reads `_highlightResult`: HTML with matched parts in `<em>` and everything else escaped. */

export interface TextPart {
  readonly text: string;
  readonly isMatch: boolean;
}

const CHARACTERS: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };

export function highlightParts(html: string): TextPart[] {
  const parts = html.split(/<\/?em>/).map((part, i) => ({ text: unescaped(part), isMatch: i % 2 === 1 }));
  return parts.filter(({ text }) => text !== '');
}

function unescaped(html: string): string {
  return html.replace(/&(\w+|#39);/g, (entity, name) => CHARACTERS[name] ?? entity);
}
