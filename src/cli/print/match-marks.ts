/** Marks the matched parts of a name in a label. */
import { HTML_ENTITIES } from '../../http/response/html.ts';
import { printable } from './printable.ts';
import { joinText, type StyledText, styled } from './styled-text.ts';

const CHARACTER_BY_ENTITY = new Map(Array.from(HTML_ENTITIES, ([character, entity]) => [entity, character]));

/**
 * Marks what `html`, the value of `_highlightResult`, has in `<em>`. `shown` is a label: it starts
 * with the name, or with a part of the name if it was shortened.
 */
export function markMatches(shown: string, html: string): StyledText {
  const parts = [];
  let rest = shown;
  for (const [i, escaped] of html.split(/<\/?em>/).entries()) {
    const isMatch = i % 2 === 1;
    const part = printable(unescapeHtml(escaped));
    const text = commonStart(rest, part);
    parts.push(isMatch ? styled('match', text) : text);
    rest = rest.slice(text.length);
    if (text !== part) break; // shortened here
  }
  return joinText([...parts, rest]);
}

function unescapeHtml(html: string): string {
  return html.replaceAll(/&#?\w+;/g, (entity) => CHARACTER_BY_ENTITY.get(entity) ?? entity);
}

function commonStart(a: string, b: string): string {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length++;
  return a.slice(0, length);
}
