/** Reads the options of a request from its URL and body. Each option may be given once. */
import { quote, RequestError } from '../errors.ts';
import type { RequestBody } from './body.ts';
import { readForm } from './form-text.ts';
import { type JsonScalar, nameOfType, readJsonBody } from './json-body.ts';
import { OPTIONS, type OptionName, type OptionSpec, OptionValueError, type OptionValues } from './options.ts';

/** Throws RequestError if an option is invalid, unknown or given twice. */
export function readOptions(
  queryString: string,
  body: RequestBody | undefined,
  allowed: readonly OptionName[],
): OptionValues {
  const given = new Map<OptionName, JsonScalar>();
  const collect = (name: string, value: JsonScalar) => {
    const option = allowed.find((candidate) => candidate === name);
    if (option === undefined) {
      const message = `${quote(name)} is not an option here; the options are ${allowed.join(', ')}`;
      throw new RequestError('unknown_option', { message });
    }
    if (given.has(option)) {
      const message = `${option} was given twice; give it once, in the body or in the URL`;
      throw new RequestError('duplicate_option', { message });
    }
    given.set(option, value);
  };

  readForm(queryString, collect);
  if (body?.format === 'form') readFormBody(body.byteString, collect);
  if (body?.format === 'json' && body.byteString.length > 0)
    readJsonBody(Buffer.from(body.byteString, 'latin1'), collect);

  // the overridden value is not even checked
  if (given.has('aroundLatLng')) given.delete('aroundLatLngViaIP');
  const values: Partial<Record<OptionName, unknown>> = {};
  for (const [name, value] of given) values[name] = parseOption(name, value);
  return values as OptionValues;
}

function readFormBody(byteString: string, onPair: (name: string, value: string) => void): void {
  // `curl -d '{…}'` sends JSON labelled as a form
  if (byteString.startsWith('{')) throw new RequestError('invalid_body', { message: JSON_LABELLED_AS_FORM });
  readForm(byteString, onPair);
}

const JSON_LABELLED_AS_FORM =
  'the body looks like JSON, but its Content-Type says it is a form; send Content-Type: application/json with it';

export function requireOption<T>(name: OptionName, value: T | undefined): T {
  if (value !== undefined) return value;
  const message = `${name} is required, for example ${name}=${OPTIONS[name].example}`;
  throw new RequestError('missing_option', { message });
}

function parseOption(name: OptionName, value: JsonScalar): unknown {
  const spec: OptionSpec = OPTIONS[name];
  try {
    return spec.parse(checkedText(spec, value));
  } catch (error) {
    if (!(error instanceof OptionValueError)) throw error;
    throw new RequestError('invalid_option', { option: name, message: `${name}: ${error.message}` });
  }
}

/** Returns the value as text. Throws OptionValueError if the value is invalid. */
function checkedText(spec: OptionSpec, value: JsonScalar): string {
  if (typeof value !== 'string') {
    const { jsonTypes } = spec;
    if (jsonTypes.some((type) => type === typeof value)) return String(value);
    const wanted = ['string', ...jsonTypes].join(' or ');
    throw new OptionValueError(`must be a ${wanted}, got ${nameOfType(value)} ${value}`);
  }
  if (value.includes('\0')) throw new OptionValueError('must not contain NUL characters');
  if (!value.isWellFormed()) throw new OptionValueError('must be Unicode text, got half of a surrogate pair');
  const bytes = Buffer.byteLength(value);
  if (bytes > spec.maxBytes) {
    throw new OptionValueError(`must not be longer than ${spec.maxBytes} bytes of UTF-8, got ${bytes}`);
  }
  return value;
}
