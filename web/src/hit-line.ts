/** A hit in two lines, as suggestions and results show it. */
import type { Hit } from '../../src/client/client.ts';
import { element, spoken } from './dom.ts';
import { flag } from './flag.ts';
import { highlightParts } from './highlight.ts';
import { distanceText, percentOf, shortNumber } from './place-text.ts';

export function hitLine(hit: Hit): HTMLElement {
  return element(
    'span',
    { class: 'hit-line' },
    flag(hit.country_code),
    element('span', { class: 'hit-label' }, ...nameParts(hit), labelRest(hit)),
    measure(hit),
    element('span', { class: 'hit-facts' }, spoken(', '), factsOf(hit)),
  );
}

function nameParts({ _highlightResult }: Hit): HTMLElement[] {
  return highlightParts(_highlightResult.name.value).map(({ text, isMatch }) =>
    isMatch ? element('mark', {}, text) : element('span', {}, text),
  );
}

function labelRest({ label, name }: Hit): HTMLElement {
  return element('span', { class: 'hit-region' }, label.startsWith(name) ? label.slice(name.length) : '');
}

function measure({ confidence, distance }: Hit): HTMLElement | undefined {
  if (confidence !== undefined) {
    const title = 'Confidence: the probability that this is the place meant';
    return element('span', { class: 'hit-measure', title }, spoken(', '), `${percentOf(confidence)} sure`);
  }
  return distance === undefined
    ? undefined
    : element('span', { class: 'hit-measure' }, spoken(', '), distanceText(distance));
}

function factsOf({ type, population, matchedName }: Hit): string {
  const people = population === undefined ? [] : [`${shortNumber(population)} people`];
  const alias = matchedName === undefined ? [] : [`also “${matchedName.value}”`];
  return [type, ...people, ...alias].join(' · ');
}
