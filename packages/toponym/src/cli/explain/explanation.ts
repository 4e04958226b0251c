/** The response of a query as text that explains the order of its hits. */

import { READING_MEANINGS } from 'toponym-engine/search/readings';
import type { Hit, Hits } from '../../../../client/src/client.ts';
import {
  CRITERIA,
  formatPoints,
  gainOf,
  noteOf,
  type Receipt,
  receiptOf,
  SCORE_KEYS,
  wordNotesOf,
} from '../../../../client/src/explanation.ts';
import { formatCount } from '../print/facts.ts';
import { formatTotal } from '../print/place-text.ts';
import { joinLines, joinText, printable, type StyledText, styled, type Text } from '../print/styled-text.ts';
import { displayWidth, fillLines, terminalWidth } from '../print/text-width.ts';

/** What bars consist of. `other`: a gain of another kind, which is rare. */
const BLOCKS = { importance: '█', geo: '▓', other: '▒', loss: '░' };

interface BarScale {
  /** In characters. */
  readonly width: number;
  /** The largest gain of the page, which fills the width. */
  readonly maxGain: number;
}

/** Longer lines are hard to read, and output that is not a terminal has no width. */
const MAX_WIDTH = 120;
const DEFAULT_WIDTH = 80;
/** Below this, label and bar have a line each. */
const MIN_WIDTH_OF_ONE_LINE = 60;
const INDENT = '    ';
const SCORE_WIDTH = '  -0.00'.length;

export function formatExplanation(response: object): StyledText {
  const columns = terminalWidth();
  const width = Number.isFinite(columns) ? Math.min(columns, MAX_WIDTH) : DEFAULT_WIDTH;
  return explain(response as Hits, width);
}

/** `width` is that of the lines, in columns. */
export function explain(response: Hits, width: number): StyledText {
  const { hits } = response;
  const receipts = hits.map((hit, i) => receiptOf(hit, hits[i + 1]));
  const maxGain = Math.max(0, ...receipts.map((receipt) => (receipt ? gainOf(receipt) : 0)));
  const barWidth = barWidthOf(width);
  const bars = receipts.map((receipt) => (receipt ? scoreBar(receipt, { width: barWidth, maxGain }) : ''));
  const blocks = hits.map((hit, i) => {
    const lines = explainHit(hit, receipts[i], response);
    const head = headLines({ rank: i + 1, label: hit.label, bar: bars[i] ?? '', receipt: receipts[i] }, width);
    return [...head, ...lines.flatMap((words) => indented(fillLines(words, ' ', width - INDENT.length)))];
  });
  const paragraphs = [
    understood(response).flatMap((line) => fillLines(wordsOf(line), ' ', width)),
    ...blocks,
    fillLines(barLegend(bars), '   ', width),
    hits.length === 0 ? ['No places found.'] : [formatTotal(response)],
  ];
  return joinText(paragraphs.filter((lines) => lines.length > 0).map(joinLines), '\n\n');
}

/** How the query was understood, as far as the response says it. */
function understood(response: Hits): string[] {
  const { query, hits, aroundLatLng, exhaustive } = response;
  const stage = READING_MEANINGS.get(hits[0]?._rankingInfo?.stage ?? '');
  const isPoint = hits.length > 0 && hits[0]?._rankingInfo === undefined;
  return [
    query.trim() === '' ? undefined : `“${printable(query)}”`,
    stage,
    isPoint
      ? 'The text is a point: the place there comes first, then the nearest places. They have no score.'
      : undefined,
    noteOf(response) || undefined,
    ...wordNotesOf(response),
    aroundLatLng === undefined || isPoint ? undefined : `Places near ${aroundLatLng} rank higher.`,
    exhaustive === false ? 'The search used up its work budget, so better hits may be missing.' : undefined,
  ].filter((line) => line !== undefined);
}

interface Head {
  readonly rank: number;
  readonly label: string;
  readonly bar: string;
  readonly receipt: Receipt | undefined;
}

function headLines({ rank, label, bar, receipt }: Head, width: number): Text[] {
  const barWidth = barWidthOf(width);
  const hasOneLine = width >= MIN_WIDTH_OF_ONE_LINE && receipt !== undefined;
  const room = width - INDENT.length - (hasOneLine ? barWidth + SCORE_WIDTH + 2 : 0);
  const labels = fillLines(wordsOf(label), ' ', room);
  const number = `${String(rank).padStart(INDENT.length - 2)}  `;
  const lines = labels.map((line, i) => joinText([i === 0 ? number : INDENT, styled('title', String(line))]));
  if (receipt === undefined) return lines;
  const score = receipt.score.toFixed(2).padStart(SCORE_WIDTH);
  const barText = [styled('bar', bar), ' '.repeat(barWidth - bar.length), score];
  if (!hasOneLine) return [...lines, joinText([INDENT, ...barText])];
  const [first = '', ...others] = lines;
  const gap = ' '.repeat(Math.max(2, room + INDENT.length + 2 - displayWidth(first)));
  return [joinText([first, gap, ...barText]), ...others];
}

function barWidthOf(width: number): number {
  if (width < MIN_WIDTH_OF_ONE_LINE) return Math.max(8, width - INDENT.length - SCORE_WIDTH);
  return Math.floor(width * 0.3);
}

/** Lines of words that stay together. */
function explainHit(hit: Hit, receipt: Receipt | undefined, { hits, nbHits }: Hits): (readonly string[])[] {
  if (receipt === undefined) {
    return hit.distance === undefined ? [] : [wordsOf(`${formatCount(hit.distance)} m from the point`)];
  }
  const isOnly = hits.length === 1 && nbHits === 1;
  const reason = isOnly ? 'It is the only match.' : receipt.reason;
  const stage = hit._rankingInfo?.stage ?? '';
  const isOther = stage !== hits[0]?._rankingInfo?.stage;
  const notes = [isOther ? READING_MEANINGS.get(stage) : undefined, matchedNameText(hit)].filter(
    (note) => note !== undefined,
  );
  return [...(reason === undefined ? [] : [wordsOf(`Why: ${reason}`)]), partTexts(receipt), ...notes.map(wordsOf)];
}

function partTexts({ parts }: Receipt): string[] {
  return parts.map(({ criterion, points }, i) => {
    const sign = points < 0 ? '−' : '+';
    return `${CRITERIA[criterion]?.name} ${sign}${formatPoints(points)}${i < parts.length - 1 ? ',' : ''}`;
  });
}

function matchedNameText({ matchedName }: Hit): string | undefined {
  if (matchedName === undefined) return undefined;
  const { value, language, typos } = matchedName;
  const spelt = typos === 0 ? '' : ` with ${typos} ${typos === 1 ? 'typo' : 'typos'}`;
  return `Matched by its name “${printable(value)}”${language === undefined ? '' : ` (${language})`}${spelt}.`;
}

function wordsOf(line: string): string[] {
  return printable(line).split(' ');
}

function indented(lines: readonly Text[]): Text[] {
  return lines.map((line) => joinText([INDENT, line]));
}

/** As the bars of the page: what stays in full characters is the score. */
function scoreBar(receipt: Receipt, { width, maxGain }: BarScale): string {
  const cellsPerPoint = maxGain > 0 ? width / maxGain : 0;
  const ends = new Map<string, number>();
  let gain = 0;
  for (const { criterion, points } of receipt.parts) {
    if (points <= 0) continue;
    gain += points;
    const symbol = criterion === 'importance' || criterion === 'geo' ? BLOCKS[criterion] : BLOCKS.other;
    ends.set(symbol, Math.round(gain * cellsPerPoint));
  }
  let bar = '';
  for (const [symbol, end] of ends) bar = bar.padEnd(end, symbol);
  const kept = Math.round(Math.min(Math.max(receipt.score, 0), gainOf(receipt)) * cellsPerPoint);
  return bar.slice(0, kept).padEnd(bar.length, BLOCKS.loss);
}

/** The symbols that the bars contain, and what they mean. */
function barLegend(bars: readonly string[]): string[] {
  const keys = Object.entries(SCORE_KEYS).map(([kind, text]) => [BLOCKS[kind as keyof typeof SCORE_KEYS], text]);
  return [...keys, [BLOCKS.other, 'gained otherwise']]
    .filter(([symbol = '']) => bars.some((bar) => bar.includes(symbol)))
    .map(([symbol, text]) => `${symbol} ${text}`);
}
