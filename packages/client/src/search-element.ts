/**
 * The export `toponym-client/search-element`: importing it defines the element `<toponym-search>`, a field of
 * a form in which the user finds a place by typing. Its value is the objectID of the selected place, and
 * empty while there is none.
 */
import type { Hit, Hits, PlaceRecord, QueryOptions, ReverseOptions } from './api-types.ts';
import { ToponymError } from './call.ts';
import { type Client, type ClientOptions, createClient } from './client.ts';
import { OPTION_ATTRIBUTES, readOptions } from './element/attributes.ts';
import { Combobox } from './element/combobox.ts';
import { createParts, element, linked } from './element/dom.ts';
import { FormField } from './element/form-field.ts';
import { hitLine } from './element/hit-line.ts';
import { isCertain } from './element/hit-text.ts';
import type { SearchEvents, SearchResult } from './element/markup.ts';
import { createAnnouncer, Trouble } from './element/messages.ts';
import { elementSheet } from './element/styles.ts';
import { ENGLISH, type SearchTexts, textsOf } from './element/texts.ts';
import { createStaticClient, type StaticClient } from './static.ts';
import type { Typeahead } from './typeahead.ts';

export type { SearchListeners, SearchMarkup } from './element/markup.ts';
export type { SearchEvents, SearchResult, SearchTexts };

declare global {
  interface HTMLElementTagNameMap {
    'toponym-search': ToponymSearch;
  }
  interface HTMLElementEventMap extends SearchEvents {}
}

const DEFAULT_HITS = '5';
const MAX_LOCATING_MS = 15_000;
const SERVICE_ATTRIBUTES = ['endpoint', 'api-key', 'key', 'key-header', 'index', 'worker', 'debounce-ms'];
/** The address of the service, if it served this module as `toponym-search.js`; else the origin of the page. */
const SERVICE = /(.*)\/toponym-search[^/]*\.js(?:[?#]|$)/.exec(import.meta.url)?.[1] ?? '';
/** Properties that a page may have set before the element was defined. */
const PROPERTIES = ['client', 'options', 'texts', 'text', 'value', 'hit', 'disabled', 'required'] as const;

export class ToponymSearch extends FormField {
  static readonly observedAttributes = [
    ...[...SERVICE_ATTRIBUTES, ...OPTION_ATTRIBUTES],
    ...['label', 'placeholder', 'required', 'value'],
  ];

  readonly #parts = createParts();
  readonly #input = this.#parts.input;
  readonly #announce = createAnnouncer(this.#parts.status);
  readonly #trouble = new Trouble(this.#parts.trouble, () => this.#retry());
  readonly #combobox = new Combobox(this.#input, this.#parts.list, {
    onTyped: () => this.#type(),
    onWanted: () => this.search(),
    onSelected: (index) => this.#select(this.#suggested[index]),
    // not while the service refuses calls: that may last a minute
    isAnswerAwaited: () =>
      this.#takesCertain && this.#parts.field.ariaBusy === 'true' && this.#parts.trouble.hidden === true,
    onSubmitted: () => this.#submit(),
    onCleared: () => this.#clear(),
  });
  #texts: SearchTexts = ENGLISH;
  /** Those that the page has set. */
  #ownTexts: Partial<SearchTexts> = {};
  #options: QueryOptions = {};
  #client: Client | undefined;
  /** The client of the attribute `index`. */
  #static: StaticClient | undefined;
  #typeahead: Typeahead | undefined;
  /** Whether the call under way has other options than the element. */
  #isOutdated = false;
  #suggested: readonly Hit[] = [];
  /** The text of the last search. A selected place changes the text of the field, but not this. */
  #query = '';
  #value = '';
  #hit: PlaceRecord | undefined;
  /** Ends the call for the place that `value` names. */
  #loading: AbortController | undefined;

  constructor() {
    super();
    const root = this.attachShadow({ mode: 'open', delegatesFocus: true });
    root.adoptedStyleSheets = [elementSheet()];
    root.append(this.#parts.field, this.#parts.trouble, this.#parts.status);
    this.#parts.clear.addEventListener('click', () => this.#clear());
    this.#parts.locate.addEventListener('click', () => void this.#locate());
    this.#input.addEventListener('focus', () => {
      this.#showTexts(); // labels may have changed
      this.#loadIndex();
    });
    this.#input.addEventListener('blur', () => this.#setNone(false));
  }

  /** Used instead of one for `index`, or for `endpoint` and `api-key`. */
  get client(): Client {
    this.#loadIndex();
    this.#client ??= sharedClient({
      url: this.getAttribute('endpoint') ?? SERVICE,
      key: this.getAttribute('api-key') ?? this.getAttribute('key') ?? '', // React and Vue keep `key` for themselves
      keyHeader: this.getAttribute('key-header') ?? undefined,
    });
    return this.#client;
  }

  set client(client: Client) {
    this.#forgetClient();
    this.#client = client;
    this.#outdate();
  }

  /** Options of searches, over those of the attributes. */
  get options(): QueryOptions {
    return this.#options;
  }

  set options(options: QueryOptions) {
    this.#options = options;
    this.#outdate();
    this.#showTexts();
  }

  /** What the element says; texts that a page does not set are in the language of the hits, or English. */
  get texts(): SearchTexts {
    return this.#texts;
  }

  set texts(texts: Partial<SearchTexts>) {
    this.#ownTexts = texts;
    this.#showTexts();
  }

  /** The text of the field. Setting it ends the calls under way, and neither selects nor searches. */
  get text(): string {
    return this.#input.value;
  }

  set text(text: string) {
    this.cancel();
    this.#set('', text);
  }

  /** The selected place. */
  get hit(): PlaceRecord | undefined {
    return this.#hit;
  }

  set hit(hit: PlaceRecord | undefined) {
    this.#set(hit?.objectID ?? '', hit?.label ?? '', hit);
  }

  /** The objectID of the selected place. Setting it gets the place from the service. */
  get value(): string {
    return this.#value;
  }

  set value(value: string) {
    if (value === this.#value && value !== '') return;
    this.cancel();
    this.#set(value, '');
    void this.#load();
  }

  /** Asks for suggestions. The list opens only if the user waits for it. */
  search(text = this.text): void {
    this.#query = text;
    if (text.trim() === '') {
      this.#empty();
      return;
    }
    this.#isOutdated = false;
    this.#typeahead ??= this.client.typeahead({
      debounceMs: Number.parseFloat(this.getAttribute('debounce-ms') ?? ''),
      onResult: (result, query) => this.#showResult(result, query),
      onError: (error) => this.#fail(error),
    });
    this.#setBusy(true);
    if (this.#static?.isReady === false) {
      this.#setNone(this.#combobox.isAwaited, this.#texts.loading);
      this.#announce(this.#texts.loading);
    }
    this.#typeahead.type(text, { hitsPerPage: DEFAULT_HITS, ...readOptions(this), ...this.#options } as QueryOptions);
  }

  /** Ends the calls under way, and closes the list. The text stays. */
  cancel(): void {
    this.#isOutdated = false;
    this.#typeahead?.close();
    this.#setBusy(false);
    this.#loading?.abort();
    this.#trouble.clear();
    this.#combobox.close();
    this.#setNone(false);
  }

  connectedCallback(): void {
    for (const name of PROPERTIES) {
      if (!Object.hasOwn(this, name)) continue;
      const { [name]: value } = this;
      delete (this as Partial<this>)[name];
      Object.assign(this, { [name]: value });
    }
    this.#showTexts();
    // the browser looks for the attribute before the element is defined
    if (this.hasAttribute('autofocus') && document.activeElement === document.body) this.focus();
    if (this.getAttribute('loading') === 'eager') this.#loadIndex();
    void this.#load();
  }

  disconnectedCallback(): void {
    this.cancel();
    if (this.#static !== undefined) this.#forgetClient();
  }

  attributeChangedCallback(name: string, _: string | null, value: string | null): void {
    if (name === 'placeholder') this.#input.placeholder = value || ' ';
    else if (name === 'value') this.value = value ?? '';
    else if (name === 'label' || name === 'required') this.#showTexts();
    else {
      if (SERVICE_ATTRIBUTES.includes(name)) this.#forgetClient();
      this.#outdate();
      if (name === 'language') this.#showTexts();
    }
  }

  formDisabledCallback(isDisabled: boolean): void {
    this.#input.disabled = isDisabled;
    if (isDisabled) this.cancel();
  }

  formResetCallback(): void {
    this.#empty();
    this.#set('', '');
    this.value = this.getAttribute('value') ?? '';
  }

  /** The browser restores a form, as after going back. */
  formStateRestoreCallback(state: string): void {
    const [value = '', ...text] = state.split('\n');
    this.#set(value, text.join('\n'));
    void this.#load();
  }

  #type(): void {
    const hadPlace = this.#value !== '';
    this.#set('', this.text);
    this.#setNone(false);
    if (hadPlace) this.#fire('toponym-clear', undefined);
    this.search();
  }

  /** As if the user had deleted the text. */
  #clear(): void {
    this.#input.value = '';
    this.#input.dispatchEvent(new InputEvent('input', { bubbles: true, composed: true }));
    this.#input.focus();
  }

  #select(hit: Hit | undefined): void {
    if (hit === undefined) return;
    this.hit = hit;
    this.#fire('toponym-select', hit);
    this.dispatchEvent(new Event('change', { bubbles: true }));
  }

  /** Selects the place where the user is. */
  async #locate(): Promise<void> {
    this.cancel();
    this.#query = '';
    this.#loading = new AbortController();
    const { signal } = this.#loading;
    this.#setBusy(true);
    try {
      const { coords } = await currentPosition();
      const { language, type, countries } = { ...readOptions(this), ...this.#options };
      const options: ReverseOptions = { mode: 'containing', hitsPerPage: 1, language, type };
      const { latitude: lat, longitude: lng } = coords;
      const { hits } = await this.client.reverse({ lat, lng }, { ...options, signal });
      if (signal.aborted) return;
      this.#setBusy(false);
      const hit = hits.find(({ country_code: code }) => `${countries ?? code}`.toLowerCase().includes(code));
      if (hit === undefined) this.#trouble.say(this.#texts.none);
      this.#select(hit);
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof ToponymError) return this.#fail(error);
      this.#setBusy(false);
      this.#trouble.say(this.#texts.unlocated);
    }
  }

  #submit(): void {
    this.#setNone(false);
    if (this.#fire('toponym-submit', undefined)) this.form?.requestSubmit();
  }

  #showResult(result: Hits, text: string): void {
    // a client of the page may answer older text
    if (this.#isOutdated || text !== this.#query) return;
    this.#setBusy(false);
    this.#trouble.end();
    this.#fire('toponym-result', { result, text });
    const hits = result.hits.slice(0, Math.max(0, Number(this.getAttribute('max-suggestions'))) || undefined);
    const [first] = hits;
    this.#setNone(first === undefined && this.#combobox.isAwaited);
    const isTaken = first !== undefined && this.#takesCertain && isCertain(first);
    // for coordinates, `nbHits` counts all places of the country
    const total = first !== undefined && 'inside' in first ? hits.length : result.nbHits;
    const found = first && this.#texts.found(hits.length, first.label, total);
    this.#announce(`${found ?? this.#texts.none}${isTaken ? ` ${this.#texts.certain}` : ''}`);
    const credits = result.dataset.attribution.flatMap((line, i) => [i > 0 ? '; ' : '', ...linked(line)]);
    this.#parts.credits.replaceChildren(...credits);
    this.#suggest(hits, { typed: text, isTaken });
  }

  /** `isTaken`: Enter and Tab take the first hit. */
  #suggest(hits: readonly Hit[], { typed = '', isTaken = false } = {}): void {
    this.#suggested = hits;
    const lines = hits.map((hit, i) => {
      const end = isTaken && i === 0 ? element('span', { class: 'enter', 'aria-hidden': 'true' }, '↵') : undefined;
      return hitLine(hit, this.#texts, { typed, end, part: i === 0 && isCertain(hit) && 'certain' });
    });
    this.#combobox.suggest(lines, isTaken);
  }

  get #takesCertain(): boolean {
    return !/^(off|false)$/.test(this.getAttribute('take-certain') ?? '');
  }

  /** The suggestions and the call under way have other options. New ones are asked for if awaited. */
  #outdate(): void {
    if (this.#parts.field.ariaBusy !== 'true' && !this.#combobox.isAwaited) {
      this.#suggest([]);
      return;
    }
    this.#combobox.outdate();
    this.#isOutdated = true;
    // once for attributes that change together
    queueMicrotask(() => this.#isOutdated && this.search(this.#query));
  }

  /** Whether a call for suggestions is under way. */
  #setBusy(isBusy: boolean): void {
    this.#parts.field.ariaBusy = String(isBusy);
  }

  #fail(error: ToponymError): void {
    const isRetried = error.retryAfterSeconds !== undefined;
    this.#setBusy(false);
    this.#setNone(false);
    this.#announce('');
    // what is old stays in sight while the user waits, but nobody can select it
    if (isRetried) this.#combobox.stall();
    else this.#suggest([]);
    if (!this.#fire('toponym-error', error)) return;
    const { popup, status, trouble } = this.#parts;
    if (isRetried && this.#combobox.isAwaited) popup.prepend(trouble);
    else status.before(trouble);
    const isNoPlace = error.status === 404 || error.option === 'query';
    const other = isNoPlace ? this.#texts.none : this.#texts.unavailable;
    this.#trouble.show(error, this.#texts, { service: this.getAttribute('endpoint') ?? undefined, other });
    if (isRetried || error.code === 'network') return;
    const reason = error.code === 'key_missing' ? 'the attribute api-key is missing' : error.message;
    // biome-ignore lint/suspicious/noConsole: for those who make the page; visitors read why they find nothing
    console.error(`toponym-search: ${reason}`);
  }

  #retry(): void {
    if (this.#value !== '' && this.#hit === undefined) void this.#load();
    else this.search(this.#query);
  }

  /** Gets the place that `value` names. */
  async #load(): Promise<void> {
    if (!this.isConnected || this.#value === '' || this.#hit !== undefined) return;
    this.#loading?.abort();
    this.#loading = new AbortController();
    const { signal } = this.#loading;
    try {
      const { language } = { ...readOptions(this), ...this.#options };
      const record = await this.client.get(this.#value, { language, signal });
      if (signal.aborted) return; // a client of the page may ignore the signal
      this.hit = record;
      this.#trouble.end();
    } catch (error) {
      if (!signal.aborted) this.#fail(error as ToponymError);
    }
  }

  #set(value: string, text: string, hit?: PlaceRecord): void {
    this.#loading?.abort();
    this.#value = value;
    this.#hit = hit;
    if (this.#input.value !== text) this.#input.value = text;
    this.#input.dir = text === '' ? '' : 'auto'; // an empty field has the direction of the page
    this.internals.setFormValue(value, `${value}\n${text}`);
    this.#checkRequired();
  }

  #checkRequired(): void {
    const isMissing = this.required && this.#value === '';
    this.internals.setValidity({ valueMissing: isMissing }, isMissing ? this.#texts.required : '', this.#input);
  }

  /** Forgets the last search. */
  #empty(): void {
    this.cancel();
    this.#announce('');
    this.#suggest([]);
  }

  /** Says that there is no place, or why there is none yet. */
  #setNone(isShown: boolean, text = this.#texts.none): void {
    this.#parts.none.hidden = !isShown;
    this.#parts.none.textContent = text;
  }

  #showTexts(): void {
    const [label] = this.internals.labels;
    const { list, clear, locate } = this.#parts;
    const { language } = { ...readOptions(this), ...this.#options };
    const texts = textsOf(String(language ?? ''));
    this.#texts = { ...texts, ...this.#ownTexts, types: { ...texts.types, ...this.#ownTexts.types } };
    this.#input.ariaLabel = this.getAttribute('label') ?? label?.textContent?.trim() ?? this.#texts.label;
    list.ariaLabel = this.#texts.list;
    clear.ariaLabel = this.#texts.clear;
    locate.ariaLabel = this.#texts.locate;
    locate.title = this.#texts.locate;
    this.#input.ariaRequired = String(this.required);
    this.#checkRequired();
  }

  #forgetClient(): void {
    this.#typeahead?.close();
    this.#typeahead = undefined;
    this.#client = undefined;
    this.#static?.close();
    this.#static = undefined;
  }

  /** Starts to load the file that the attribute `index` names. */
  #loadIndex(): void {
    const index = this.getAttribute('index');
    if (!index || this.#client !== undefined) return;
    this.#static = createStaticClient({ index, worker: this.getAttribute('worker') ?? undefined });
    this.#client = this.#static;
  }

  /** Returns whether no listener has prevented the element's own action. */
  #fire<Name extends keyof SearchEvents>(name: Name, detail: SearchEvents[Name]['detail']): boolean {
    return this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true, cancelable: true }));
  }
}

function currentPosition(): Promise<GeolocationPosition> {
  return new Promise((resolve, reject) => {
    navigator.geolocation.getCurrentPosition(resolve, reject, { timeout: MAX_LOCATING_MS });
  });
}

const clients = new Map<string, Client>();

/** One client for all elements with the same service and key: they share results, and the limit. */
function sharedClient(service: ClientOptions): Client {
  const name = JSON.stringify(service);
  const client = clients.get(name) ?? createClient(service);
  clients.set(name, client);
  return client;
}

// servers that render pages have no customElements
if (globalThis.customElements?.get('toponym-search') === undefined) {
  globalThis.customElements?.define('toponym-search', ToponymSearch);
}
