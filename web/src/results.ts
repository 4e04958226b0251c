/** The list of hits, with the reasons for their order. */
import type { Hit, Hits } from '../../src/client/client.ts';
import { noteOf } from '../../src/client/query-note.ts';
import { gainOf, receiptOf } from '../../src/client/ranking-receipt.ts';
import { byId, element } from './dom.ts';
import { hitLine } from './hit-line.ts';
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
}

export function createResults(onSelected: (hit: Hit) => void): Results {
  const list = byId('results');
  const why = byId('why');
  byId('legend').append(...legend());
  const setHead = (title: string, timing: string, note: string) => {
    byId('results-title').textContent = title;
    byId('timing').textContent = timing;
    byId('results-note').textContent = note;
    byId('results-note').hidden = note === '';
  };
  return {
    show: (result, title, note) => {
      setHead(title, timingOf(result), [note, noteOf(result)].filter(Boolean).join(' '));
      list.replaceChildren(...items(result.hits, onSelected));
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
  };
}

function items(hits: readonly Hit[], onSelected: (hit: Hit) => void): HTMLElement[] {
  const receipts = hits.map((hit, i) => receiptOf(hit, hits[i + 1]));
  const maxGain = Math.max(...receipts.map((receipt) => (receipt ? gainOf(receipt) : 0)));
  return hits.map((hit, i) => {
    const receipt = receipts[i];
    const button = element('button', { type: 'button', class: 'hit', 'data-id': hit.objectID }, hitLine(hit));
    button.addEventListener('click', () => onSelected(hit));
    return element('li', {}, button, receipt && scoreBar(receipt, maxGain));
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

function timingOf({ processingTimeMS }: Hits): string {
  return `${processingTimeMS < 10 ? processingTimeMS.toFixed(1) : Math.round(processingTimeMS)} ms on the server`;
}
