/**
 * The search box: an ARIA combobox whose suggestions follow what is typed. It never changes the text
 * while the user types; only a selected place replaces it.
 */
import Combobox from '@github/combobox-nav';
import type { Hit } from '../../src/client/client.ts';
import { byId, element } from './dom.ts';
import { hitLine } from './hit-line.ts';

export interface SearchBoxEvents {
  onTyped(text: string): void;
  /** Enter without a suggestion. */
  onSubmitted(): void;
  onSelected(hit: Hit): void;
}

/** What keys pressed before the suggestions arrived ask for: the first one active, or selected. */
type Wish = 'active' | 'selected' | undefined;

export class SearchBox {
  readonly #input = byId<HTMLInputElement>('search');
  readonly #list = byId('suggestions');
  readonly #combobox = new Combobox(this.#input, this.#list, { tabInsertsSuggestions: false });
  readonly #events: SearchBoxEvents;
  #suggested: readonly Hit[] = [];
  /** Whether the user has typed since the list was closed. */
  #isTyping = false;
  /** Whether the suggestions are those of the text. */
  #isCurrent = true;
  #wish: Wish;

  constructor(events: SearchBoxEvents) {
    this.#events = events;
    this.#combobox.start(); // for good, so that it sees every composition from its start
    this.#setOpen(false);
    const [input, list] = [this.#input, this.#list];
    input.addEventListener('input', () => this.#type());
    input.addEventListener('click', () => this.#open());
    input.addEventListener('blur', () => this.close());
    input.addEventListener('keydown', (event) => this.#handleKeyLast(event));
    input.parentElement?.addEventListener('keydown', (event) => this.#handleKeyFirst(event), true);
    list.addEventListener('mousedown', (event) => event.preventDefault()); // the input keeps the focus
    list.addEventListener('combobox-commit', ({ target }) => {
      const hit = this.#suggested[[...list.children].indexOf(target as Element)];
      this.close();
      if (hit !== undefined) this.#events.onSelected(hit);
    });
  }

  set text(text: string) {
    this.#input.value = text;
  }

  /** Shows the suggestions for the text, unless the user has closed the list since typing. */
  suggest(hits: readonly Hit[]): void {
    const wish = this.#wish;
    this.#suggested = hits;
    this.#isCurrent = true;
    this.#wish = undefined;
    this.#list.removeAttribute('aria-busy');
    this.#list.replaceChildren(...hits.map(suggestion));
    this.#combobox.clearSelection();
    if (this.#isTyping || hits.length === 0) this.#open();
    if (wish === undefined || hits.length === 0) return;
    this.#combobox.navigate(1);
    if (wish === 'selected') (this.#list.firstElementChild as HTMLElement).click();
  }

  close(): void {
    this.#isTyping = false;
    this.#wish = undefined;
    this.#setOpen(false);
  }

  #open(): void {
    this.#setOpen(this.#suggested.length > 0);
  }

  #setOpen(isOpen: boolean): void {
    this.#list.hidden = !isOpen;
    this.#input.setAttribute('aria-expanded', String(isOpen));
    if (!isOpen) this.#combobox.clearSelection();
  }

  #type(): void {
    this.#isTyping = true;
    this.#isCurrent = false;
    this.#wish = undefined;
    // suggestions for the text before stay visible for a moment, but nobody can select them
    this.#list.setAttribute('aria-busy', 'true');
    for (const option of this.#list.children) option.setAttribute('role', 'none');
    if (this.#input.value.trim() === '') this.close();
    this.#events.onTyped(this.#input.value);
  }

  /** Keys that the combobox does not know, or must not see. */
  #handleKeyFirst(event: KeyboardEvent): void {
    const { key } = event;
    if (event.isComposing) return;
    if (this.#isTyping && !this.#isCurrent && (key === 'ArrowDown' || (key === 'Enter' && this.#wish !== undefined))) {
      this.#wish = key === 'Enter' ? 'selected' : 'active';
    } else if (this.#input.hasAttribute('aria-activedescendant') && (key === 'Home' || key === 'End')) {
      this.#combobox.clearSelection();
      this.#combobox.navigate(key === 'Home' ? 1 : -1);
    } else {
      if (this.#list.hidden && (key === 'ArrowDown' || key === 'ArrowUp')) this.#open();
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  /** Keys that the combobox has not used. */
  #handleKeyLast(event: KeyboardEvent): void {
    if (event.isComposing || event.defaultPrevented) return;
    if (event.key === 'Enter') {
      this.close();
      this.#events.onSubmitted();
    }
    if (event.key === 'Escape') {
      event.preventDefault(); // browsers would delete the text
      this.close();
    }
  }
}

function suggestion(hit: Hit, i: number): HTMLElement {
  return element('div', { role: 'option', id: `suggestion-${i}` }, hitLine(hit));
}
