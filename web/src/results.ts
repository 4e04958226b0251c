/** The list of hits, with the reasons for their order. */
import type { Hit, Hits } from '../../packages/client/src/client.ts';
import { hitLine } from '../../packages/client/src/element/hit-line.ts';
import { isCertain } from '../../packages/client/src/element/hit-text.ts';
import { HIT_LINE_STYLES, sheetOf } from '../../packages/client/src/element/styles.ts';
import { ENGLISH } from '../../packages/client/src/element/texts.ts';
import { gainOf, noteOf, receiptOf } from '../../packages/client/src/explanation.ts';
import { byId, element, spoken } from './dom.ts';
import { distanceText, timingText } from './place-text.ts';
import { legend, scoreBar } from './score-bar.ts';

export interface Examples {
  readonly texts: readonly (readonly [text: string, about: string])[];
  onChosen(text: string): void;
}

export interface Results {
  /** `note`: said before what the response itself says. */
  show(result: Hits, title: string, note: string): void;
  showExamples(examples: Examples): void;
  markSelected(id: string | undefined): void;
  /** What is shown answers another search: nobody can select it. `isBusy`: the answer is on its way. */
  outdate(isBusy: boolean): void;
}

export function createResults(onSelected: (hit: Hit) => void): Results {
  document.adoptedStyleSheets.push(sheetOf(HIT_LINE_STYLES));
  const list = byId('results');
  const section = byId('found');
  const why = byId('why');
  byId('legend').append(...legend());
  const setState = (isStale: boolean, isBusy: boolean) => {
    section.classList.toggle('stale', isStale);
    section.ariaBusy = String(isBusy);
    list.inert = isStale;
  };
  const setHead = (title: string, timing: string, note: string) => {
    setState(false, false);
    byId('results-title').textContent = title;
    byId('timing').textContent = timing;
    byId('results-note').textContent = note;
    byId('results-note').hidden = note === '';
  };
  return {
    show: (result, title, note) => {
      setHead(title, timingText(result.processingTimeMS), [note, noteOf(result)].filter(Boolean).join(' '));
      list.replaceChildren(...items(result, onSelected));
      why.hidden = result.hits[0]?._rankingInfo === undefined;
    },
    showExamples: ({ texts, onChosen }) => {
      setHead('Try one of these', '', '');
      why.hidden = true;
      list.replaceChildren(...texts.map(([text, about]) => example(text, about, onChosen)));
    },
    markSelected: (id) => {
      for (const button of list.querySelectorAll<HTMLElement>('[data-id]')) {
        if (button.dataset.id === id) button.setAttribute('aria-current', 'true');
        else button.removeAttribute('aria-current');
      }
    },
    outdate: (isBusy) => setState(true, isBusy),
  };
}

function items({ hits, query }: Hits, onSelected: (hit: Hit) => void): HTMLElement[] {
  const receipts = hits.map((hit, i) => receiptOf(hit, hits[i + 1]));
  const maxGain = Math.max(...receipts.map((receipt) => (receipt ? gainOf(receipt) : 0)));
  return hits.map((hit, i) => {
    const receipt = receipts[i];
    const button = element(
      'button',
      { type: 'button', class: 'hit', 'data-id': hit.objectID },
      hitLine(hit, ENGLISH, { typed: query, end: i === 0 && isCertain(hit) ? certainMark() : distance(hit) }),
    );
    button.addEventListener('click', () => onSelected(hit));
    return element('li', {}, button, receipt && scoreBar(receipt, { maxGain, confidence: hit.confidence }));
  });
}

function example(text: string, about: string, onChosen: (text: string) => void): HTMLElement {
  const button = element(
    'button',
    { type: 'button', class: 'hit example' },
    element('span', { class: 'example-text' }, text),
    element('span', { class: 'hit-facts' }, about),
  );
  button.addEventListener('click', () => onChosen(text));
  return element('li', {}, button);
}

function certainMark(): HTMLElement {
  const title = 'Almost certainly the place meant';
  return element(
    'span',
    { class: 'hit-end certain', title },
    element('span', { 'aria-hidden': 'true' }, '✓'),
    spoken(`, ${title}`),
  );
}

/** Of a search around a point, whose hits have no confidence. */
function distance({ confidence, distance: meters }: Hit): HTMLElement | undefined {
  if (confidence !== undefined || meters === undefined) return undefined;
  return element('span', { class: 'hit-end' }, spoken(', '), distanceText(meters));
}
