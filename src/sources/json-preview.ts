/**
 * Shortened JSON for error messages. JSON.stringify overflows the stack on values nested a few
 * thousand levels deep, although JSON.parse reads them.
 */

const MAX_DEPTH = 10;
const MAX_LENGTH = 120;

/** JSON of the value, cut after 120 characters; values nested over ten levels deep become `…`. */
export function previewJson(value: unknown): string {
  return shorten(toJson(value, MAX_DEPTH));
}

export function shorten(text: string): string {
  return text.length <= MAX_LENGTH ? text : `${text.slice(0, MAX_LENGTH)}…`;
}

function toJson(value: unknown, depth: number): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'nothing';
  if (depth === 0) return '…';
  if (Array.isArray(value)) return `[${value.map((item) => toJson(item, depth - 1)).join(',')}]`;
  const fields = Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}:${toJson(item, depth - 1)}`);
  return `{${fields.join(',')}}`;
}
