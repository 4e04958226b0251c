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

export interface SearchBox {
  text: string;
  /** Opens the list, unless the user has closed it since typing. */
  suggest(hits: readonly Hit[]): void;
  close(): void;
}

export function createSearchBox(events: SearchBoxEvents): SearchBox {
  const input = byId<HTMLInputElement>('search');
  const list = byId('suggestions');
  const combobox = new Combobox(input, list, { tabInsertsSuggestions: false });
  combobox.start(); // for good, so that it sees every composition from its start
  let suggested: readonly Hit[] = [];
  /** Whether the user has typed since the list was closed. */
  let isTyping = false;

  const setOpen = (isOpen: boolean) => {
    list.hidden = !isOpen;
    input.setAttribute('aria-expanded', String(isOpen));
    if (!isOpen) combobox.clearSelection();
  };
  const close = () => {
    isTyping = false;
    setOpen(false);
  };
  const open = () => setOpen(suggested.length > 0);
  setOpen(false);

  input.addEventListener('input', () => {
    isTyping = true;
    if (input.value.trim() === '') close();
    events.onTyped(input.value);
  });
  input.addEventListener('click', open);
  input.addEventListener('blur', close);
  input.addEventListener('keydown', (event) => {
    if (event.isComposing || event.defaultPrevented) return;
    if (event.key === 'Enter') {
      close();
      events.onSubmitted();
    }
    if (event.key === 'Escape') {
      event.preventDefault(); // browsers would delete the text
      close();
    }
  });
  // before the combobox, which knows neither of these keys
  input.parentElement?.addEventListener('keydown', (event) => openOrJump(event, { combobox, list, open }), true);
  // the input keeps the focus
  list.addEventListener('mousedown', (event) => event.preventDefault());
  list.addEventListener('combobox-commit', ({ target }) => {
    const hit = suggested[[...list.children].indexOf(target as Element)];
    close();
    if (hit !== undefined) events.onSelected(hit);
  });

  return {
    get text() {
      return input.value;
    },
    set text(text) {
      input.value = text;
    },
    suggest: (hits) => {
      suggested = hits;
      list.replaceChildren(...hits.map(suggestion));
      combobox.clearSelection();
      if (isTyping || hits.length === 0) open();
    },
    close,
  };
}

function suggestion(hit: Hit, i: number): HTMLElement {
  return element('div', { role: 'option', id: `suggestion-${i}` }, hitLine(hit));
}

/** Arrows open a closed list. Home and End go to the first and last suggestion if one is active. */
function openOrJump(
  event: KeyboardEvent,
  { combobox, list, open }: { combobox: Combobox; list: HTMLElement; open: () => void },
): void {
  if (event.isComposing) return;
  if (list.hidden && (event.key === 'ArrowDown' || event.key === 'ArrowUp')) open();
  const isActive = combobox.input.hasAttribute('aria-activedescendant');
  if (!isActive || (event.key !== 'Home' && event.key !== 'End')) return;
  combobox.clearSelection();
  combobox.navigate(event.key === 'Home' ? 1 : -1);
  event.preventDefault();
  event.stopPropagation();
}
