import type { PageFacts } from 'toponym-server/http/page-facts';

export { element, spoken } from '../../packages/client/src/element/dom.ts';

/** The element of web/index.html with this id. */
export function byId<Type extends HTMLElement = HTMLElement>(id: string): Type {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`index.html has no element #${id}`);
  return found as Type;
}

/** The facts that the service writes into the HTML of its pages. */
export function readFacts(): PageFacts {
  return JSON.parse(byId('facts').textContent ?? '') as PageFacts;
}
