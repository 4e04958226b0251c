/** Progress as one line: a bar that fits a terminal, or a plain sentence for a log. */
import { displayWidth, shorten } from './display-width.ts';
import { formatCount, formatDuration, formatMegabytes } from './facts.ts';
import { printable } from './printable.ts';
import { joinText, styled, type Text } from './styled-text.ts';

export interface StageProgress {
  /** What is being done; empty if the title says it. */
  readonly stage: string;
  readonly done: number;
  readonly total?: number | undefined;
  readonly unit?: 'bytes';
  readonly perSecond?: number | undefined;
  readonly secondsLeft?: number | undefined;
}

interface BarCharacters {
  readonly full: string;
  readonly empty: string;
}

const MIN_BAR_WIDTH = 10;
const MAX_BAR_WIDTH = 30;
const GAP = '  ';
const BLOCKS: BarCharacters = { full: '█', empty: '░' };
const ASCII: BarCharacters = { full: '#', empty: '-' };

/** A line for a log, such as `Building x: sorting 45%, 9 of 20, 3/s, 4 s left`. */
export function progressSentence(title: string, progress: StageProgress): string {
  const { percentage, count, rate, timeLeft } = formatFigures(progress);
  const figures = [percentage.trimStart(), count, rate, timeLeft].filter((text) => text !== '').join(', ');
  return `${stageSentence(title, progress)} ${figures}`;
}

/** A line for a log at the start of a stage. */
export function stageSentence(title: string, { stage }: StageProgress): string {
  return printable(headOf(title, stage));
}

/** A line at most `width` wide. What matters least is left out first. */
export function progressBar(title: string, progress: StageProgress, width: number): Text {
  const { stage, done, total } = progress;
  const heads = [headOf(title, stage), stage === '' ? title : stage].map(printable);
  const { percentage, count, rate, timeLeft } = formatFigures(progress);
  const tails = total === undefined ? [[count, rate], [count], []] : [[percentage, timeLeft], [percentage], []];
  if (done === 0) return firstThatFits(heads, [['…']], { gap: '', width });
  if (total === undefined) return firstThatFits(heads, tails, { gap: GAP, width });
  for (const figures of [
    [percentage, count, rate, timeLeft],
    [percentage, count, timeLeft],
    [percentage, timeLeft],
  ]) {
    const tail = figures.filter((text) => text !== '');
    for (const head of heads) {
      const room = width - displayWidth([head, '', ...tail].join(GAP));
      if (room >= MIN_BAR_WIDTH) return joinText([head, drawBar(done / total, room), ...tail], GAP);
    }
  }
  return firstThatFits(heads, tails, { gap: GAP, width });
}

function firstThatFits(
  heads: readonly string[],
  tails: readonly (readonly string[])[],
  { gap, width }: { readonly gap: string; readonly width: number },
): string {
  const lines = tails.flatMap((tail) => heads.map((head) => [head, ...tail].filter((text) => text !== '').join(gap)));
  return lines.find((line) => displayWidth(line) <= width) ?? shorten(lines.at(-1) ?? '', width);
}

function headOf(title: string, stage: string): string {
  return stage === '' ? title : `${title}: ${stage}`;
}

function formatFigures({ done, total, unit, perSecond, secondsLeft }: StageProgress) {
  const format = unit === 'bytes' ? formatMegabytes : (count: number) => formatCount(Math.round(count));
  return {
    percentage: total === undefined ? '' : `${Math.floor((100 * done) / total)}%`.padStart(3),
    count: total === undefined ? format(done) : `${format(done).replace(/ MB$/, '')} of ${format(total)}`,
    rate: perSecond === undefined ? '' : `${format(perSecond)}/s`,
    timeLeft: secondsLeft === undefined ? '' : `${formatDuration(secondsLeft)} left`,
  };
}

function drawBar(share: number, room: number): Text {
  const width = Math.min(room, MAX_BAR_WIDTH);
  const { full, empty } = isUtf8() ? BLOCKS : ASCII;
  const filled = Math.min(Math.floor(share * width), width);
  return joinText([styled('bar', full.repeat(filled)), styled('faint', empty.repeat(width - filled))]);
}

function isUtf8({ LC_ALL, LC_CTYPE, LANG } = process.env): boolean {
  return /utf-?8/i.test(LC_ALL || LC_CTYPE || LANG || '');
}
