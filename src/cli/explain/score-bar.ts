/** The score of a hit as a bar of characters: gains from the left, and losses over their end. */
import { gainOf, type Receipt, SCORE_KEYS } from '../../client/ranking-receipt.ts';

export interface BarSymbols {
  readonly importance: string;
  readonly geo: string;
  /** A gain of another kind, which is rare. */
  readonly other: string;
  readonly loss: string;
}

export const BLOCKS: BarSymbols = { importance: '█', geo: '▓', other: '▒', loss: '░' };
/** For terminals that may not show block characters. */
export const ASCII: BarSymbols = { importance: '#', geo: '=', other: '+', loss: '-' };

export interface BarScale {
  readonly symbols: BarSymbols;
  /** In characters. */
  readonly width: number;
  /** The largest gain of the page, which fills the width. */
  readonly maxGain: number;
}

/** As the bars of the page: what stays in full characters is the score. */
export function scoreBar(receipt: Receipt, { symbols, width, maxGain }: BarScale): string {
  const cellsPerPoint = maxGain > 0 ? width / maxGain : 0;
  const ends = new Map<string, number>();
  let gain = 0;
  for (const { criterion, points } of receipt.parts) {
    if (points <= 0) continue;
    gain += points;
    ends.set(symbolOf(criterion, symbols), Math.round(gain * cellsPerPoint));
  }
  let bar = '';
  for (const [symbol, end] of ends) bar = bar.padEnd(end, symbol);
  const kept = Math.round(Math.min(Math.max(receipt.score, 0), gainOf(receipt)) * cellsPerPoint);
  return bar.slice(0, kept).padEnd(bar.length, symbols.loss);
}

/** The symbols that the bars contain, and what they mean. */
export function barLegend(bars: readonly string[], symbols: BarSymbols): string[] {
  const keys = Object.entries(SCORE_KEYS).map(([kind, text]) => [symbols[kind as keyof typeof SCORE_KEYS], text]);
  return [...keys, [symbols.other, 'gained otherwise']]
    .filter(([symbol = '']) => bars.some((bar) => bar.includes(symbol)))
    .map(([symbol, text]) => `${symbol} ${text}`);
}

function symbolOf(criterion: string, symbols: BarSymbols): string {
  return criterion === 'importance' || criterion === 'geo' ? symbols[criterion] : symbols.other;
}
