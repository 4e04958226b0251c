/**
 * Shortened JSON for error messages. JSON.stringify formats only keys and scalars here, because it
 * overflows the stack on deeply nested values.
 */

const MAX_DEPTH = 10;
const MAX_CHARACTERS = 120;

export function previewJson(value: unknown): string {
  return shorten(toJson(value, MAX_DEPTH));
}

export function shorten(text: string): string {
  return text.length <= MAX_CHARACTERS ? text : `${text.slice(0, MAX_CHARACTERS)}…`;
}

function toJson(value: unknown, levelsLeft: number): string {
  if (value === undefined) return 'nothing';
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (levelsLeft === 0) return '…';
  if (Array.isArray(value)) return `[${value.map((item) => toJson(item, levelsLeft - 1)).join(',')}]`;
  const fields = Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}:${toJson(item, levelsLeft - 1)}`);
  return `{${fields.join(',')}}`;
}
