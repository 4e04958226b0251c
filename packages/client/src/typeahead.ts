/**
 * Search while the user types, with few calls: one at a time, at the pace of the typist, and slower while the service
 * allows few. A result is delivered only if it answers the newest text. Texts seen before are answered from memory, and
 * so are longer ones if `isOnlyMatch` says so.
 */
import type { Hits, QueryOptions } from './api-types.ts';
import { ToponymError } from './call.ts';
import { isCertain } from './element/hit-text.ts';
import type { Session } from './session.ts';

export interface TypeaheadOptions extends QueryOptions {
  /** A call waits for such a pause in typing, but at most three times as long. By default, it follows the typist. */
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

/** A pause in typing is this much longer than the usual time between two letters, */
const PAUSE_FACTOR = 1.5;
/** and within these limits, so that hits come within 400 ms if the service needs up to 100. */
const [MIN_PAUSE_MS, MAX_PAUSE_MS] = [150, 300];
const MAX_PAUSES = 3;
/** While few calls are left. */
const SLOW_PAUSE_MS = 600;
/** A longer time between two letters does not tell how fast the user types. */
const MAX_LETTER_MS = 1000;
/** A call for an older text is given up after this time. */
const MAX_OLD_CALL_MS = 1000;
/** Timers can wait for at most 24 days. */
const MAX_WAIT_MS = 86_400_000;

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
  readonly #session: Session;
  readonly #debounceMs: number | undefined;
  readonly #onResult: TypeaheadOptions['onResult'];
  readonly #onError: TypeaheadOptions['onError'];
  readonly #options: QueryOptions;
  /** Undefined if the text is empty. */
  #newest: Search | undefined;
  #isAnswered = false;
  #call: { readonly search: Search; readonly controller: AbortController; readonly startedMs: number } | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** When the newest text was typed. */
  #typedMs = 0;
  /** The usual time between two letters. */
  #letterMs = 200;
  /** When the first text after the last call was typed. */
  #waitingSinceMs: number | undefined;
  /** When the newest text is to be asked for, unless the service or a call under way makes it wait. */
  #dueMs = 0;
  /** `onError` knows that the service allows no call until then. */
  #toldUntilMs = 0;

  constructor(ask: Ask, session: Session, { debounceMs = -1, onResult, onError, ...options }: TypeaheadOptions) {
    this.#ask = ask;
    this.#session = session;
    this.#debounceMs = debounceMs >= 0 ? debounceMs : undefined;
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
    const pauseMs = this.#pauseAfterLetter();
    if (this.#newest === undefined) {
      this.#endCall();
      this.#toldUntilMs = 0;
    }
    if (this.#newest === undefined || this.#deliver() || isSame(this.#call?.search, this.#newest)) return;
    this.#waitingSinceMs ??= this.#typedMs;
    if (this.#session.isShort) this.#dueMs = this.#typedMs + Math.max(pauseMs, SLOW_PAUSE_MS);
    else this.#dueMs = isFirst ? 0 : Math.min(this.#typedMs + pauseMs, this.#waitingSinceMs + MAX_PAUSES * pauseMs);
    this.#schedule();
  };

  /** Returns the pause to wait for after the newest letter, and learns how fast the user types. */
  #pauseAfterLetter(): number {
    const letterMs = Date.now() - this.#typedMs;
    this.#typedMs += letterMs;
    if (letterMs < MAX_LETTER_MS) this.#letterMs += (letterMs - this.#letterMs) / 4;
    return this.#debounceMs ?? Math.max(MIN_PAUSE_MS, Math.min(PAUSE_FACTOR * this.#letterMs, MAX_PAUSE_MS));
  }

  /** Asks for the newest text when it is due, the call before it has ended, and the service allows it. */
  #schedule(): void {
    clearTimeout(this.#timer);
    const { closedUntilMs } = this.#session;
    const allowedMs = closedUntilMs > this.#toldUntilMs ? 0 : closedUntilMs;
    const endedMs = this.#call === undefined ? 0 : this.#call.startedMs + MAX_OLD_CALL_MS;
    const waitMs = Math.max(this.#dueMs, allowedMs, endedMs) - Date.now();
    if (waitMs <= 0) this.#askNewest();
    else this.#timer = setTimeout(() => this.#schedule(), Math.min(waitMs, MAX_WAIT_MS));
  }

  async #askNewest(): Promise<void> {
    const search = this.#newest;
    this.#endCall();
    if (search === undefined) return;
    const waitMs = this.#session.closedUntilMs - Date.now();
    if (waitMs > 0) {
      const retryAfterSeconds = waitMs / 1000;
      const error = new ToponymError('rate_limited', 'no calls are left', { status: 429, retryAfterSeconds });
      this.#fail(error, search);
      return;
    }
    const controller = new AbortController();
    this.#call = { search, controller, startedMs: Date.now() };
    let result: Hits;
    try {
      result = await this.#ask(search.text, search.options, controller.signal);
    } catch (error) {
      if (!controller.signal.aborted) this.#fail(error as ToponymError, search);
      return;
    }
    if (controller.signal.aborted) return;
    this.#call = undefined;
    this.#session.keep(search.scope + search.text, result);
    if (!this.#deliver()) this.#askNext();
  }

  /** Asks for the newest text if it has no answer yet. */
  #askNext(): void {
    if (this.#newest !== undefined && !this.#isAnswered) this.#schedule();
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
    this.#waitingSinceMs = undefined;
    this.#toldUntilMs = 0; // a caller shows the result instead of the error
    this.#isAnswered = true;
    this.#onResult(result, newest.typed);
    return true;
  }

  #find({ scope, text, options }: Search): Hits | undefined {
    for (let end = text.length; end > 0; end--) {
      const key = scope + text.slice(0, end);
      const result = this.#session.find(key);
      if (result === undefined || (end < text.length && !isOnlyMatch(result, text, options))) continue;
      this.#session.keep(key, result);
      return result;
    }
    return undefined;
  }

  #fail(error: ToponymError, search: Search): void {
    this.#call = undefined;
    const isOld = !isSame(search, this.#newest);
    const isRetried = error.retryAfterSeconds !== undefined;
    if (isRetried) this.#toldUntilMs = this.#session.closedUntilMs;
    if (isRetried || isOld) this.#askNext();
    if (isRetried || !isOld) this.#onError?.(error, search.typed);
  }
}

function isSame(a: Search | undefined, b: Search | undefined): boolean {
  return a?.scope === b?.scope && a?.text === b?.text;
}

/**
 * Whether the result of a shorter text also answers this one. It does if it had a single match, which was certain, and
 * the text is one word and still the beginning of the name that matched. Of more matches, or words, the service may find
 * others for the longer text, by typos or without one of the words.
 */
export function isOnlyMatch(result: Hits, text: string, { minConfidence }: QueryOptions): boolean {
  const [hit] = result.hits;
  const isComplete = result.exhaustiveNbHits !== false && result.exhaustive !== false && !minConfidence;
  if (!hit || result.nbHits !== 1 || !isComplete || result.degradedQuery || result.matchedRegion) return false;
  return (
    isCertain(hit) && /^[\p{L}\p{M}]+$/u.test(text) && plain(hit.matchedName?.value ?? hit.name).startsWith(plain(text))
  );
}

function plain(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
}
