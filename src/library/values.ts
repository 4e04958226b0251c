/** What the checks of the library ask of a value that a caller passes. */

export function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A value as JSON, cut to a readable length, for messages. */
export function preview(value: unknown): string {
  const text = toText(value);
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

function toText(value: unknown): string {
  if (typeof value === 'function') return 'a function';
  if (typeof value !== 'string' && typeof value !== 'object') return String(value);
  try {
    return JSON.stringify(value);
  } catch {
    return `an ${typeof value} that JSON cannot show`; // such as one that contains itself
  }
}
