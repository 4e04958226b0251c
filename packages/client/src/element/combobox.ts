/**
 * Keys, mouse and ARIA attributes of an input with a list of suggestions: the ARIA pattern "editable
 * combobox with list autocomplete". It never changes the text. Our own, because the client has no
 * dependencies, and because it handles keys that are pressed before the suggestions arrive.
 */
import { element } from './dom.ts';

export interface ComboboxEvents {
  onTyped(): void;
  /** The user wants suggestions for the text, and there are none for it. */
  onWanted(): void;
  onSelected(index: number): void;
  /** Whether the answer for the text may come, and its first suggestion may be taken by Enter or Tab. */
  isAnswerAwaited(): boolean;
  /** Enter without a suggestion. */
  onSubmitted(): void;
  /** Escape while the list is closed. */
  onCleared(): void;
}

/** What keys pressed before the suggestions arrive do to the first one when it arrives. */
type PendingAction = 'activate' | 'select' | 'enter' | 'tab' | undefined;

export class Combobox {
  readonly #input: HTMLInputElement;
  readonly #list: HTMLElement;
  readonly #events: ComboboxEvents;
  #active = -1;
  /** Whether the user waits for suggestions, and the list opens when they arrive. */
  #isAwaited = false;
  /** Whether the suggestions are those of the text. */
  #isCurrent = true;
  /** Whether Enter and Tab take the first suggestion. */
  #isCertain = false;
  #pending: PendingAction;

  constructor(input: HTMLInputElement, list: HTMLElement, events: ComboboxEvents) {
    this.#input = input;
    this.#list = list;
    this.#events = events;
    input.role = 'combobox';
    input.ariaAutoComplete = 'list';
    input.setAttribute('aria-controls', list.id);
    list.role = 'listbox';
    this.close();
    input.addEventListener('input', () => this.#type());
    input.addEventListener('click', () => this.#isCurrent && this.#setOpen(true));
    input.addEventListener('blur', () => this.#leave());
    input.addEventListener('keydown', (event) => this.#handleKey(event));
    list.parentElement?.addEventListener('mousedown', (event) => event.preventDefault()); // the input keeps the focus
    list.addEventListener('click', ({ target }) => {
      const option = (target as Element).closest('[role=option]');
      if (option !== null) this.#select([...list.children].indexOf(option));
    });
  }

  /** Replaces the suggestions. The list opens if the user waits for it. `isCertain`: Enter and Tab take the first one. */
  suggest(lines: readonly HTMLElement[], isCertain = false): void {
    const pending = this.#pending;
    this.#isCurrent = true;
    this.#isCertain = isCertain;
    this.#pending = undefined;
    this.#list.replaceChildren(...lines.map(option));
    this.#list.ariaBusy = this.#list.ariaDisabled = null;
    this.#setOpen(this.#isAwaited);
    if (pending === 'enter' || pending === 'tab') {
      if (isCertain) this.#select(0);
      else if (pending === 'enter') this.#submit();
    } else if (pending !== undefined && lines.length > 0) {
      this.#activate(0);
      if (pending === 'select') this.#select(0);
    }
  }

  /** No suggestions come for now. */
  stall(): void {
    this.outdate();
    if (this.#pending === 'enter') this.#submit();
  }

  /** The suggestions answer another search: they stay visible for a moment, but nobody can select them. */
  outdate(): void {
    this.#isCurrent = false;
    this.#activate(-1);
    this.#list.ariaBusy = this.#list.ariaDisabled = 'true';
    for (const option of this.#list.children) {
      option.role = 'none';
      option.ariaSelected = null;
    }
  }

  close(): void {
    this.#isAwaited = false;
    this.#pending = undefined;
    this.#setOpen(false);
  }

  /** Whether the user waits for suggestions. */
  get isAwaited(): boolean {
    return this.#isAwaited;
  }

  /** Tab takes the first suggestion if it is certain, also if it arrives later. */
  #leave(): void {
    const pending = this.#pending;
    this.close();
    if (pending === 'tab') this.#pending = pending;
  }

  #setOpen(isWanted: boolean): void {
    const isOpen = isWanted && this.#list.childElementCount > 0;
    this.#list.hidden = !isOpen;
    this.#input.ariaExpanded = String(isOpen);
    this.#activate(-1);
  }

  #type(): void {
    this.outdate();
    this.#await(undefined);
    if (this.#input.value.trim() === '') this.close();
    this.#events.onTyped();
  }

  #await(pending: PendingAction): void {
    this.#isAwaited = true;
    this.#isCurrent = false;
    this.#pending = pending;
  }

  #select(index: number): void {
    this.close();
    this.#events.onSelected(index);
  }

  #handleKey(event: KeyboardEvent): void {
    // Safari ends a composition before the key that ends it, which has the code 229
    if (event.isComposing || event.keyCode === 229) return;
    if (event.shiftKey || event.ctrlKey || event.altKey || event.metaKey) return;
    if (!this.#useKey(event.key)) return;
    event.preventDefault();
    event.stopPropagation(); // a dialog around the element would use the key too
  }

  /** Returns whether the key is used. */
  #useKey(key: string): boolean {
    const last = this.#list.childElementCount - 1;
    if (key === 'ArrowDown') this.#move(1);
    else if (key === 'ArrowUp') this.#move(-1);
    else if (key === 'Enter') this.#enter();
    else if (key === 'Tab') return this.#tab();
    else if (key === 'Escape' && !this.#list.hidden) this.close();
    else if (key === 'Escape' && this.#input.value !== '') this.#events.onCleared();
    else if ((key === 'Home' || key === 'End') && this.#active >= 0) this.#activate(key === 'End' ? last : 0);
    else return false;
    return true;
  }

  #move(step: number): void {
    const count = this.#list.childElementCount;
    if (this.#isAwaited && !this.#isCurrent) {
      this.#pending = 'activate';
    } else if (this.#isCurrent && count > 0) {
      if (this.#list.hidden) this.#setOpen(true);
      // -1, the text, is one of the stops
      this.#activate(((this.#active + step + count + 2) % (count + 1)) - 1);
    } else if (this.#input.value.trim() !== '') {
      this.#await('activate');
      this.#events.onWanted();
    }
  }

  #enter(): void {
    if (this.#active >= 0) this.#select(this.#active);
    else if (this.#isFirstTaken) this.#select(0);
    else if (this.#pending === 'activate' || this.#pending === 'select') this.#pending = 'select';
    else if (this.#isAnswerAwaited) this.#pending = 'enter';
    else this.#submit();
  }

  /** The focus moves on in any case. */
  #tab(): false {
    if (this.#isFirstTaken) this.#select(0);
    else if (this.#isAnswerAwaited) this.#pending = 'tab';
    return false;
  }

  get #isFirstTaken(): boolean {
    return this.#isCertain && this.#isCurrent && !this.#list.hidden && this.#active < 0;
  }

  get #isAnswerAwaited(): boolean {
    return this.#isAwaited && !this.#isCurrent && this.#events.isAnswerAwaited();
  }

  #submit(): void {
    this.close();
    this.#events.onSubmitted();
  }

  #activate(index: number): void {
    this.#active = index;
    for (const [i, option] of [...this.#list.children].entries()) {
      option.ariaSelected = String(i === index);
      option.part.toggle('active', i === index);
    }
    const option = this.#list.children[index];
    if (option === undefined) {
      this.#input.removeAttribute('aria-activedescendant');
    } else {
      this.#input.setAttribute('aria-activedescendant', option.id);
      option.scrollIntoView({ block: 'nearest' });
    }
  }
}

function option(line: HTMLElement, i: number): HTMLElement {
  return element('div', { role: 'option', id: `option-${i}`, part: 'option' }, line);
}
