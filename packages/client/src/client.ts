/**
 * The export of `toponym-client`, which is `toponym/client` too: a client of the HTTP API for browsers, Node.js, Deno and Bun. It
 * imports nothing from outside its folder, and uses only `fetch`, `AbortController` and timers.
 */
import type { FullRecord, GetOptions, Hits, LatLng, QueryOptions, ReverseOptions } from './api-types.ts';
import { type CallOptions, callService, type Service, type ServiceCall } from './call.ts';
import { Session } from './session.ts';
import { type Ask, OpenTypeahead, type Typeahead, type TypeaheadOptions } from './typeahead.ts';

export type * from './api-types.ts';
export { ToponymError, type ToponymErrorCode } from './call.ts';
export type { CallOptions, Typeahead, TypeaheadOptions };

/** The service, and defaults for every call. */
export interface ClientOptions extends Service, Omit<CallOptions, 'signal'> {}

export interface Client {
  /** Finds places by name. */
  query(text: string, options?: QueryOptions & CallOptions): Promise<Hits>;
  /** Gets one place. */
  get(objectID: string, options?: GetOptions & CallOptions): Promise<FullRecord>;
  /** Finds the places nearest to a point, or the place that contains it. */
  reverse(point: LatLng, options?: ReverseOptions & CallOptions): Promise<Hits>;
  /** Searches while the user types, with few calls. */
  typeahead(options: TypeaheadOptions): Typeahead;
}

/** Every failed call rejects with ToponymError, an aborted one with the reason of its signal. */
export function createClient(client: ClientOptions): Client {
  const session = new Session();
  const onHeaders = session.note;
  const call = <T>(
    endpoint: ServiceCall['endpoint'],
    required: object,
    { signal, timeoutMs = client.timeoutMs, retries = client.retries, ...optional }: CallOptions = {},
    maxRetryAfterSeconds?: number,
  ) => {
    const options = { ...required, ...optional };
    return callService<T>(client, { endpoint, options, signal, timeoutMs, retries, onHeaders, maxRetryAfterSeconds });
  };
  return {
    query: (query, options) => call('query', { query }, options),
    get: (objectID, options) => call('id', { objectID }, options),
    reverse: (aroundLatLng, options) => call('reverse', { aroundLatLng }, options),
    typeahead: (options) => {
      // the typeahead itself waits after Retry-After, so that it then asks for the newest text
      const ask: Ask = (query, queryOptions, signal) => call('query', { query }, { ...queryOptions, signal }, 0);
      return new OpenTypeahead(ask, session, options);
    },
  };
}
