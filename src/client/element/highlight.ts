/** Reads `_highlightResult`: HTML with matched parts in `<em>` and everything else escaped. */

const CHARACTERS: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };

/** Texts at odd indexes are matches; the others may be empty. */
export function highlightParts(html: string): string[] {
  return html.split(/<\/?em>/).map(unescaped);
}

function unescaped(html: string): string {
  return html.replace(/&(\w+|#39);/g, (entity, name) => CHARACTERS[name] ?? entity);
}
