/** The score of a hit as a bar: gains in full colours, and losses, hatched, over their end. */

import { percentOf } from '../../packages/client/src/element/hit-text.ts';
import {
  CRITERIA,
  type Receipt,
  receiptText,
  SCORE_KEYS,
  type ScorePart,
} from '../../packages/client/src/explanation.ts';
import { element, spoken } from './dom.ts';

interface BarContext {
  /** The largest sum of gains on the page, which fills the width. */
  readonly maxGain: number;
  readonly confidence: number | undefined;
}

export function scoreBar(receipt: Receipt, { maxGain, confidence }: BarContext): HTMLElement {
  const gains = receipt.parts.filter(({ points }) => points > 0);
  const losses = receipt.parts.filter(({ points }) => points < 0);
  const lost = Math.min(sumOf(losses), sumOf(gains));
  const bar = element('div', { class: 'bar', 'aria-hidden': 'true' }, ...gains.map((part) => segment(part, maxGain)));
  if (lost > 0) {
    // drawn over the end of the gains, so that what stays in full colour is the score
    const cover = element('div', { class: 'lost' }, ...losses.map((part) => segment(part, sumOf(losses))));
    cover.style.width = percent(lost / maxGain);
    cover.style.left = percent((sumOf(gains) - lost) / maxGain);
    bar.append(cover);
  }
  return element(
    'div',
    { class: 'receipt' },
    spoken(receiptText(receipt)),
    bar,
    element('span', { class: 'score', 'aria-hidden': 'true' }, receipt.score.toFixed(2)),
    element(
      'p',
      {},
      element('span', { 'aria-hidden': 'true' }, lossText(losses)),
      receipt.reason,
      sureText(confidence),
    ),
  );
}

export function legend(): HTMLElement[] {
  return Object.entries(SCORE_KEYS).map(([kind, text]) =>
    element('span', { class: 'key' }, element('i', { class: kind }), text),
  );
}

function sureText(confidence: number | undefined): string {
  return confidence === undefined ? '' : ` ${percentOf(confidence)} sure that this is the place meant.`;
}

function lossText(losses: readonly ScorePart[]): string {
  if (losses.length === 0) return '';
  return `${losses.map(({ criterion, points }) => `−${(-points).toFixed(2)} ${CRITERIA[criterion]?.name}`).join(', ')}. `;
}

function segment({ criterion, points }: ScorePart, whole: number): HTMLElement {
  const created = element('div', { class: points > 0 ? `gain ${criterion}` : 'loss' });
  created.style.width = percent(Math.abs(points) / whole);
  return created;
}

function sumOf(parts: readonly ScorePart[]): number {
  return parts.reduce((sum, { points }) => sum + Math.abs(points), 0);
}

function percent(share: number): string {
  return `${(share * 100).toFixed(2)}%`;
}
