/**
 * Search while the user types. A result is delivered only if it answers the newest text. Texts seen
 * before are answered from memory, and so are longer ones if `isOnlyMatch` says so.
 */
import type { Hits, QueryOptions } from './api-types.ts';
import type { ToponymError } from './call.ts';
import type { Client } from './client.ts';

export interface TypeaheadOptions extends QueryOptions {
  /** A call waits for such a pause in typing, but at most three times as long; 200 by default. */
  readonly debounceMs?: number | undefined;
  onResult(result: Hits, text: string): void;
  /** If the error has `retryAfterSeconds`, the newest text is asked for after that time. */
  onError?(error: ToponymError, text: string): void;
}

export interface Typeahead {
  /** Takes the whole text, and options that differ from the typeahead's. Empty text asks for nothing. */
  type(text: string, options?: QueryOptions): void;
  /** Ends the call under way. No result follows. */
  close(): void;
}

export type Ask = (text: string, options: QueryOptions, signal: AbortSignal) => Promise<Hits>;

const DEFAULT_DEBOUNCE_MS = 200;
const MAX_RESULTS = 50;
const MAX_PAUSES = 3;
/** Timers can wait for at most 24 days. */
const MAX_PAUSE_MS = 86_400_000;

interface Search {
  /** As typed. */
  readonly typed: string;
  /** Without surplus spaces, which the service ignores. */
  readonly text: string;
  readonly options: QueryOptions;
  /** The options as text: results are reused only with equal options. */
  readonly scope: string;
}

export class OpenTypeahead implements Typeahead {
  readonly #ask: Ask;
  readonly #debounceMs: number;
  readonly #onResult: TypeaheadOptions['onResult'];
  readonly #onError: TypeaheadOptions['onError'];
  readonly #options: QueryOptions;
  /** By scope and text, the least recently used first. */
  readonly #results = new Map<string, Hits>();
  /** Undefined if the text is empty. */
  #newest: Search | undefined;
  #isAnswered = false;
  #call: { readonly search: Search; readonly controller: AbortController } | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** When the first text after the last call was typed. */
  #waitingSinceMs: number | undefined;
  #pausedUntilMs = 0;

  constructor(ask: Ask, { debounceMs = -1, onResult, onError, ...options }: TypeaheadOptions) {
    this.#ask = ask;
    this.#debounceMs = debounceMs >= 0 ? debounceMs : DEFAULT_DEBOUNCE_MS;
    this.#onResult = onResult;
    this.#onError = onError;
    this.#options = options;
  }

  // functions as properties: callers may take them out of the object
  readonly close = (): void => this.type('');

  readonly type = (typed: string, changed?: QueryOptions): void => {
    const isFirst = this.#newest === undefined;
    const options = { ...this.#options, ...changed };
    const text = typed.trim().replace(/\s+/g, ' ');
    this.#newest = text === '' ? undefined : { typed, text, options, scope: JSON.stringify(options) };
    this.#isAnswered = false;
    clearTimeout(this.#timer);
    if (this.#newest === undefined) this.#endCall();
    if (this.#newest === undefined || this.#deliver() || isSame(this.#call?.search, this.#newest)) return;
    const nowMs = Date.now();
    this.#waitingSinceMs ??= nowMs;
    const pauseMs = Math.min(this.#debounceMs, this.#waitingSinceMs + MAX_PAUSES * this.#debounceMs - nowMs);
    this.#askIn(Math.max(isFirst ? 0 : pauseMs, this.#pausedUntilMs - nowMs));
  };

  #askIn(waitMs: number): void {
    clearTimeout(this.#timer);
    if (waitMs <= 0) this.#askNewest();
    else this.#timer = setTimeout(() => this.#askNewest(), Math.min(waitMs, MAX_PAUSE_MS));
  }

  async #askNewest(): Promise<void> {
    const search = this.#newest;
    this.#endCall();
    if (search === undefined) return;
    const controller = new AbortController();
    this.#call = { search, controller };
    let result: Hits;
    try {
      result = await this.#ask(search.text, search.options, controller.signal);
    } catch (error) {
      if (!controller.signal.aborted) this.#fail(error as ToponymError, search);
      return;
    }
    if (controller.signal.aborted) return;
    this.#call = undefined;
    this.#keep(search.scope + search.text, result);
    this.#deliver();
  }

  #endCall(): void {
    this.#call?.controller.abort();
    this.#call = undefined;
    this.#waitingSinceMs = undefined;
  }

  /** Delivers the result of the newest text if it is known. Returns whether it is. */
  #deliver(): boolean {
    const newest = this.#newest;
    if (newest === undefined || this.#isAnswered) return false;
    const result = this.#find(newest);
    if (result === undefined) return false;
    clearTimeout(this.#timer);
    this.#isAnswered = true;
    this.#onResult(result, newest.typed);
    return true;
  }

  #find({ scope, text, options }: Search): Hits | undefined {
    for (let end = text.length; end > 0; end--) {
      const key = scope + text.slice(0, end);
      const result = this.#results.get(key);
      if (result === undefined || (end < text.length && !isOnlyMatch(result, text, options))) continue;
      this.#keep(key, result);
      return result;
    }
    return undefined;
  }

  #keep(key: string, result: Hits): void {
    this.#results.delete(key);
    this.#results.set(key, result);
    const [oldest] = this.#results.keys();
    if (this.#results.size > MAX_RESULTS && oldest !== undefined) this.#results.delete(oldest);
  }

  #fail(error: ToponymError, search: Search): void {
    this.#call = undefined;
    if (error.retryAfterSeconds !== undefined) {
      const waitMs = Math.max(1, error.retryAfterSeconds) * 1000;
      this.#pausedUntilMs = Date.now() + waitMs;
      if (!this.#isAnswered) this.#askIn(waitMs);
    } else if (!isSame(search, this.#newest)) {
      return;
    }
    this.#onError?.(error, search.typed);
  }
}

function isSame(a: Search | undefined, b: Search | undefined): boolean {
  return a?.scope === b?.scope && a?.text === b?.text;
}

/**
 * Whether the result of a shorter text also answers this one (docs/client.md): it had a single match, and
 * the text is still the beginning of the name that matched.
 */
export function isOnlyMatch(result: Hits, text: string, { minConfidence }: QueryOptions): boolean {
  const [hit] = result.hits;
  const isComplete = result.exhaustiveNbHits !== false && result.exhaustive !== false && !minConfidence;
  if (!hit || result.nbHits !== 1 || !isComplete || result.degradedQuery || result.matchedRegion) return false;
  return plain(hit.matchedName?.value ?? hit.name).startsWith(plain(text));
}

function plain(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
}

export type WidgetOptions = Omit<TypeaheadOptions, 'onResult'>;

/**
 * A typeahead as a function that returns promises, as widgets expect. The promise for a text that a
 * newer one replaces stays pending, so that no widget shows its hits. So does the promise for a text
 * that the typeahead asks for again, as after 429, until it is answered. Empty text has no result.
 */
export function createWidgetSearch(client: Client, options: WidgetOptions | undefined) {
  let newest: { resolve(result: Hits | undefined): void; reject(error: ToponymError): void } | undefined;
  const typeahead = client.typeahead({
    ...options,
    onResult: (result) => newest?.resolve(result),
    onError: (error, text) => {
      options?.onError?.(error, text);
      if (error.retryAfterSeconds === undefined) newest?.reject(error);
    },
  });
  /** An option that is undefined does not replace that of the typeahead. */
  return (text: string, changed: QueryOptions = {}) =>
    new Promise<Hits | undefined>((resolve, reject) => {
      newest = { resolve, reject };
      typeahead.type(text, Object.fromEntries(Object.entries(changed).filter(([, value]) => value !== undefined)));
      if (text.trim() === '') resolve(undefined);
    });
}
