/** A choice of one value, as radio buttons. */
import { element } from './dom.ts';

export type Option = readonly [value: string, text: string];

export interface Choice {
  /** Selects a value. If it is new, it gets a button. */
  show(value: string, text?: string): void;
  add(option: Option): void;
  remove(value: string): void;
}

export function createChoice(
  group: HTMLElement,
  options: readonly Option[],
  onChanged: (value: string) => void,
): Choice {
  const buttons = new Map<string, HTMLInputElement>();
  const add = ([value, text]: Option) => {
    const button = element('input', { type: 'radio', name: group.id, value });
    buttons.set(value, button);
    group.append(element('label', {}, button, element('span', {}, text)));
    return button;
  };
  for (const option of options) add(option);
  group.addEventListener('change', ({ target }) => onChanged((target as HTMLInputElement).value));
  return {
    add,
    remove: (value) => {
      buttons.get(value)?.parentElement?.remove();
      buttons.delete(value);
    },
    show: (value, text = value) => {
      const button = buttons.get(value) ?? add([value, text]);
      button.checked = true;
    },
  };
}
