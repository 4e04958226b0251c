/** Where a text stops being JSON. V8's messages often have no position and quote a secret text. */
import { lowerBound } from '../../collections/lower-bound.ts';

/** The line and column, from 1 on, of the first character that no JSON text can have there. */
export function jsonErrorPosition(text: string): { readonly line: number; readonly column: number } {
  const at = lowerBound(text.length, (i) => isUnfinished(text.slice(0, i + 1)));
  const lines = text.slice(0, at).split('\n');
  return { line: lines.length, column: (lines.at(-1) ?? '').length + 1 };
}

/** Whether the text is JSON or can be continued to JSON. */
function isUnfinished(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch (error) {
    const { message } = error as SyntaxError;
    const [, position = '-1'] = /at position (\d+)/.exec(message) ?? [];
    return message === 'Unexpected end of JSON input' || Number(position) >= text.length;
  }
}
