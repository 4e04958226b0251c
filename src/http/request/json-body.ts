/** Reads a JSON body: a flat object of options. */
import { quote, RequestError } from '../errors.ts';

export type JsonScalar = string | number | boolean;

const UTF8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Calls `onPair` for each option, in order. It is called twice for a name that occurs twice, which
 * callers must refuse: both calls have the last value. Throws RequestError if the body is invalid.
 */
export function readJsonBody(body: Uint8Array, onPair: (name: string, value: JsonScalar) => void): void {
  const text = decodeBody(body);
  const parsed = parseJson(text);
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) {
    throw new RequestError('invalid_body', {
      message: `the JSON body must be an object of options such as {"query": "paris"}, got ${nameOfType(parsed)}`,
    });
  }
  const values = new Map<string, unknown>(Object.entries(parsed));
  for (const name of topLevelNames(text)) {
    const value = values.get(name);
    if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') {
      const message = `${quote(name)}: must be a string, a number or a boolean, got ${nameOfType(value)}`;
      throw new RequestError('invalid_option', { message });
    }
    onPair(name, value);
  }
}

export function nameOfType(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  const type = typeof value;
  return type === 'object' ? 'an object' : `a ${type}`;
}

function decodeBody(body: Uint8Array): string {
  try {
    return UTF8.decode(body);
  } catch {
    throw new RequestError('invalid_body', { message: 'the JSON body is not UTF-8' });
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new RequestError('invalid_body', {
      message: 'the body is not JSON, although its Content-Type says so; options look like {"query": "paris"}',
    });
  }
}

/** Names in the outermost object of valid JSON, with duplicates, which `JSON.parse` hides. */
function topLevelNames(text: string): string[] {
  const names: string[] = [];
  let depth = 0;
  let lastString = '';
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\]:]/g)) {
    if (token === '{' || token === '[') depth++;
    else if (token === '}' || token === ']') depth--;
    else if (token !== ':') lastString = token;
    else if (depth === 1) names.push(JSON.parse(lastString) as string);
  }
  return names;
}
