/** The elements that the field consists of. */
import { element } from './dom.ts';
import type { SearchTexts } from './texts.ts';

export type FieldParts = ReturnType<typeof createParts>;

export function createParts() {
  const input = element('input', {
    ...{ part: 'input', enterkeyhint: 'search', placeholder: ' ' }, // the style asks whether it is shown
    ...{ autocomplete: 'off', autocapitalize: 'off', spellcheck: 'false' },
  });
  const clear = element('button', { type: 'button', part: 'clear', tabindex: '-1' }, '×');
  const list = element('div', { class: 'list', part: 'list', id: 'list' });
  const none = element('p', { class: 'none', part: 'none', hidden: true });
  return {
    ...{ input, clear, list, none },
    field: element('div', { class: 'field' }, input, clear, list, none),
    trouble: element('p', { class: 'trouble', part: 'trouble', role: 'alert', hidden: true }),
    /** What screen readers say. */
    status: element('div', { class: 'spoken', role: 'status' }),
  };
}

/** `name`: of the field. */
export function nameParts({ input, clear, list, none }: FieldParts, name: string, texts: SearchTexts): void {
  input.ariaLabel = name;
  list.ariaLabel = texts.list;
  clear.ariaLabel = texts.clear;
  none.textContent = texts.none;
}
