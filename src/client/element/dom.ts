/** Builds elements. Strings become text nodes, so data is never read as HTML. */

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
