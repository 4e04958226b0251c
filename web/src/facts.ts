/** The facts that the service writes into the HTML of its pages. */
import type { PageFacts } from '../../src/http/page-facts.ts';

export function readFacts(): PageFacts {
  return JSON.parse(document.getElementById('facts')?.textContent ?? '') as PageFacts;
}
