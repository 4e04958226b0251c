/**
 * A value from a JSON file as messages show it. JSON.stringify overflows the stack on a value that is nested a few
 * thousand levels deep, although JSON.parse reads it.
 */

const MAX_DEPTH = 10;
/** A value may be megabytes long. */
const MAX_LENGTH = 120;

/** The JSON text of the value, cut off after 120 characters. Levels below the tenth are shown as `…`. */
export function shownValue(value: unknown): string {
  return shorten(jsonOf(value, MAX_DEPTH));
}

export function shorten(text: string): string {
  return text.length <= MAX_LENGTH ? text : `${text.slice(0, MAX_LENGTH)}…`;
}

function jsonOf(value: unknown, depth: number): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'nothing';
  if (depth === 0) return '…';
  if (Array.isArray(value)) return `[${value.map((item) => jsonOf(item, depth - 1)).join(',')}]`;
  const fields = Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}:${jsonOf(item, depth - 1)}`);
  return `{${fields.join(',')}}`;
}
