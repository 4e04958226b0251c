/** What the server tells the page in its HTML. */
import type { PageFacts } from '../../src/http/page/page-facts.ts';

export function readFacts(): PageFacts {
  return JSON.parse(document.getElementById('facts')?.textContent ?? '');
}
