/** Builds elements, and those of the field. Strings become text nodes, so data is never read as HTML. */

export type Child = Node | string | undefined;

/** Attributes with the value undefined or false are left out; true gives an empty one. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Readonly<Record<string, string | boolean | undefined>> = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Name] {
  const created = document.createElement(name);
  for (const [attribute, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== false) created.setAttribute(attribute, value === true ? '' : value);
  }
  created.append(...children.filter((child) => child !== undefined));
  return created;
}

/** Text for screen readers only. */
export function spoken(text: string): HTMLElement {
  return element('span', { class: 'spoken' }, text);
}

/** The elements that the field consists of. */
export function createParts() {
  const input = element('input', {
    ...{ part: 'input', enterkeyhint: 'search', placeholder: ' ' }, // the style asks whether it is shown
    ...{ autocomplete: 'off', autocapitalize: 'off', spellcheck: 'false' },
  });
  const clear = element('button', { type: 'button', part: 'clear', tabindex: '-1' }, '×');
  const locate = element('button', { type: 'button', class: 'locate', part: 'locate' });
  // in the language of the hits, which may run against the direction of the page
  const none = element('p', { class: 'none', part: 'none', dir: 'auto', hidden: true });
  const list = element('div', { class: 'list', part: 'list', id: 'list' });
  const credits = element('p', { class: 'credits', part: 'credits' });
  const popup = element('div', { class: 'popup', part: 'popup' }, none, list, credits);
  return {
    ...{ input, clear, locate, none, list, credits, popup },
    field: element('div', { class: 'field' }, input, clear, locate, popup),
    trouble: element('p', { class: 'trouble', part: 'trouble', role: 'alert', dir: 'auto', hidden: true }),
    /** What screen readers say. */
    status: element('div', { class: 'spoken', role: 'status' }),
  };
}

/** Addresses in brackets become links, such as those of an attribution: `GeoNames (https://…), CC BY 4.0 (https://…)`. */
export function linked(text: string): (Node | string)[] {
  const parts = text.split(/([^\s,;][^(),;]*) \((https?:[^\s()]+)\)/);
  return parts.flatMap((part, i) => {
    if (i % 3 === 0) return part;
    if (i % 3 === 2) return [];
    return element('a', { href: parts[i + 1], target: '_blank', rel: 'noreferrer', tabindex: '-1' }, part);
  });
}
