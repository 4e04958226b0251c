/** Reads `_highlightResult`: HTML with matched parts in `<em>` and everything else escaped. */

export interface TextPart {
  readonly text: string;
  readonly isMatch: boolean;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
};

export function highlightParts(html: string): TextPart[] {
  const parts = html.split(/<\/?em>/).map((part, i) => ({ text: unescaped(part), isMatch: i % 2 === 1 }));
  return parts.filter(({ text }) => text !== '');
}

function unescaped(html: string): string {
  return html.replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => ENTITIES[entity] ?? entity);
}
