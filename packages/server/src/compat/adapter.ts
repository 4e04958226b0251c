/**
 * What an adapter is: the API of another service, answered by our engine, so that its clients work unchanged.
 * An adapter has the paths, parameters, results and errors of that service. compat-routes.ts does what all adapters
 * share: admission, limits, where a key may be, headers, and the content types, which are JSON and plain text.
 */
import type { Engine, Hit, SearchResult } from 'toponym-engine/engine';
import type { OptionName } from 'toponym-engine/options';
import type { LocateIpAddress } from '../http/endpoints.ts';
import { invalidOption, quote, RequestError } from '../http/errors.ts';
import { type OptionValues, parseLanguage, parseOption } from '../http/request/read-options.ts';

export interface Adapter {
  readonly endpoints: readonly AdapterEndpoint[];
  /** An error as clients of the other service expect it. `message` says what is wrong and what would work. */
  formatError(error: RequestError, message: string): { readonly status: number; readonly body: object };
}

export interface AdapterEndpoint {
  readonly methods: readonly ('GET' | 'POST')[];
  /** A last part `*` stands for any text, which is `AdapterCall.pathEnd`. */
  readonly path: string;
  /** Of endpoints of several adapters with the same path, this one is meant if its pattern is in the query string. */
  readonly ownParameters?: RegExp;
  /** Adds the parameters of a body to those of the URL. Without it, a body is ignored. */
  readonly readBody?: (body: Buffer, parameters: Parameters) => void;
  /** Returns a value to be sent as JSON, or a text to be sent as it is. Throws RequestError. */
  respond(call: AdapterCall): unknown;
}

export interface AdapterCall {
  readonly engine: Engine;
  readonly parameters: Parameters;
  /** Maximum hits for the caller's key. */
  readonly maxHits: number;
  /** First language of the header Accept-Language. */
  readonly headerLanguage: string | undefined;
  readonly pathEnd: string;
  /** The IP address of the caller. */
  readonly callerAddress: string;
  readonly locate: LocateIpAddress;
}

/** Several times as many as any client sends, and few enough to be read in a tenth of a millisecond. */
const MAX_PARAMETERS = 200;

/** Parameters by name, as sent. If one is repeated, its last value counts, except in `all`. */
export class Parameters {
  readonly #values = new Map<string, string[]>();
  #count = 0;

  /** Throws RequestError if there are too many. */
  add(name: string, value: string): void {
    if (++this.#count > MAX_PARAMETERS)
      throw new RequestError('bad_request', `a request may have at most ${MAX_PARAMETERS} parameters`);
    const values = this.#values.get(name);
    if (values === undefined) this.#values.set(name, [value]);
    else values.push(value);
  }

  has(name: string): boolean {
    return this.#values.has(name);
  }

  all(name: string): readonly string[] {
    return this.#values.get(name) ?? [];
  }

  /** The value without spaces around it; undefined if it is missing or empty. */
  text(name: string): string | undefined {
    return this.all(name).at(-1)?.trim() || undefined;
  }

  /** Reads a parameter as one of our options. Throws RequestError, whose message names the parameter. */
  option<Name extends OptionName>(option: Name, name: string = option): OptionValues[Name] {
    const text = this.text(name);
    return text === undefined ? undefined : readAs(option, name, text);
  }

  /** Reads a parameter that must have one of these values, the first one by default. Throws RequestError. */
  oneOf(name: string, values: readonly string[]): string {
    const text = this.text(name) ?? values[0]!;
    if (values.includes(text)) return text;
    throw invalidOption(name, `must be one of ${values.join(', ')}, got ${quote(text)}`);
  }

  /** Reads two parameters as a point, undefined if both are missing. Throws RequestError. */
  point(latName: string, lngName: string): OptionValues['aroundLatLng'] {
    const [lat, lng] = [this.text(latName), this.text(lngName)];
    if (lat === undefined && lng === undefined) return undefined;
    return readAs('aroundLatLng', `${latName},${lngName}`, `${lat ?? ''},${lng ?? ''}`);
  }
}

/** Reads a text as one of our options. `name` is what the client calls it. Throws RequestError. */
export function readAs<Name extends OptionName>(option: Name, name: string, text: string): OptionValues[Name] {
  return parseOption(option, text, name) as OptionValues[Name];
}

/** The hits of a reverse lookup; none if the point is at sea, far from any place. */
export function hitsOnLand({ hits, pointCountry }: SearchResult): readonly Hit[] {
  return pointCountry === null && !hits[0]?.isInside ? [] : hits;
}

/** The number of hits to return: as asked, at most what the key allows. */
export function hitLimit({ parameters, maxHits }: AdapterCall, byDefault: number, name = 'limit'): number {
  return Math.min(parameters.option('hitsPerPage', name) ?? byDefault, maxHits);
}

/** `de-AT,en;q=0.8` is `de-AT`. Undefined if there is no valid tag. */
export function firstLanguage(list = ''): string | undefined {
  return parseLanguage(list.split(/[,;]/, 1)[0]!.trim());
}
