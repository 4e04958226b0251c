/** A hit in two lines. Its texts are isolated, because their direction may differ from the page's. */
import type { Hit } from '../api-types.ts';
import { element, spoken } from './dom.ts';
import { flag } from './flag.ts';
import { highlightParts } from './highlight.ts';
import { shortNumber } from './hit-text.ts';
import type { SearchTexts } from './texts.ts';

/** Shown at the end of the first line. */
export interface Measure {
  readonly text: string;
  readonly title?: string;
}

export function hitLine(hit: Hit, texts: SearchTexts, measure?: Measure): HTMLElement {
  return element(
    'span',
    { class: 'hit-line' },
    flag(hit.country_code),
    element('span', { class: 'hit-label', part: 'label' }, element('bdi', {}, ...labelParts(hit))),
    measure &&
      element('span', { class: 'hit-measure', part: 'measure', title: measure.title }, spoken(', '), measure.text),
    element('span', { class: 'hit-facts', part: 'facts' }, spoken(', '), ...factsOf(hit, texts)),
  );
}

function labelParts({ label, name, _highlightResult }: Hit): HTMLElement[] {
  if (!label.startsWith(name)) return [element('span', {}, label)];
  const nameParts = highlightParts(_highlightResult.name.value).map(({ text, isMatch }) =>
    isMatch ? element('mark', { part: 'match' }, text) : element('span', {}, text),
  );
  return [...nameParts, element('span', { class: 'hit-region', part: 'region' }, label.slice(name.length))];
}

function factsOf({ type, population, matchedName }: Hit, texts: SearchTexts): (Node | string)[] {
  const people = population === undefined ? [] : [texts.people(shortNumber(population, texts.locale))];
  const alias = matchedName === undefined ? [] : [texts.alias(isolated(matchedName.value))];
  const facts = [texts.types[type] ?? type, ...people, ...alias];
  return facts.flatMap((fact, i) => [i === 0 ? '' : ' · ', element('bdi', {}, fact)]);
}

/** Between the Unicode marks FIRST STRONG ISOLATE and POP DIRECTIONAL ISOLATE. */
function isolated(text: string): string {
  return `\u2068${text}\u2069`;
}
