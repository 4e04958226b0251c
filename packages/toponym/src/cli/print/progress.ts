/** Progress on standard error: a bar that fits the terminal, and plain sentences elsewhere. */
import type { LoadOptions } from 'toponym-gazetteer/datasets/embedded-index';
import type { DownloadProgress } from 'toponym-gazetteer/fetch/download';
import { formatCount, formatDuration, formatMegabytes } from './facts.ts';
import { note } from './output.ts';
import { joinText, printable, renderText, styled, type Text } from './styled-text.ts';
import { displayWidth, isUtf8Terminal, shorten, terminalWidth } from './text-width.ts';

export interface StageProgress {
  /** What is being done; empty if the title says it. */
  readonly stage: string;
  readonly done: number;
  readonly total?: number | undefined;
  readonly unit?: 'bytes';
  readonly perSecond?: number | undefined;
  readonly secondsLeft?: number | undefined;
}

interface Progress {
  readonly show: (step: StageProgress) => void;
  readonly end: () => void;
}

export interface ProgressOptions {
  readonly stream?: NodeJS.WriteStream;
  readonly nowMs?: () => number;
  /** Whether lines begin only after some seconds. A bar is always shown. */
  readonly isUsuallyShort?: boolean;
}

const REDRAW_INTERVAL_MS = 100;
/** Between the lines about one stage. */
const LINE_INTERVAL_MS = 10_000;
/** Before that, a rate is not reliable. */
const MIN_RATE_SECONDS = 0.5;
const CLEAR_LINE = '\r\x1b[2K';
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const MIN_BAR_WIDTH = 10;
const MAX_BAR_WIDTH = 30;
const GAP = '  ';

export function createProgress(title: string, options: ProgressOptions = {}): Progress {
  const { stream = process.stderr, nowMs = () => performance.now(), isUsuallyShort = false } = options;
  const isTerminal = stream.isTTY && process.env.TERM !== 'dumb';
  const measure = createMeasure(nowMs);
  return (isTerminal ? createBar : createLines)(title, { stream, measure, isUsuallyShort });
}

/** Shows the progress of indexing the embedded places. */
export async function withIndexingProgress<T>(
  load: (options: Pick<LoadOptions, 'onProgress' | 'onWait'>) => Promise<T>,
): Promise<T> {
  const progress = createProgress('Embedded places');
  let isFirst = true;
  const onProgress = (step: StageProgress) => {
    if (isFirst) note('Indexing the embedded places. This is done once; later starts use the index.');
    isFirst = false;
    progress.show(step);
  };
  const onWait = () => note('Another process is indexing the embedded places: waiting for it.');
  return await load({ onProgress, onWait }).finally(() => progress.end());
}

/** The progress of a download as a stage, counted in bytes. */
export function downloadStage(stage: string, download: DownloadProgress): StageProgress {
  const { bytes, totalBytes, bytesPerSecond, secondsLeft } = download;
  const perSecond = bytesPerSecond === 0 ? undefined : bytesPerSecond;
  return { stage, done: bytes, total: totalBytes, unit: 'bytes', perSecond, secondsLeft };
}

interface Drawing extends Required<Omit<ProgressOptions, 'nowMs'>> {
  readonly measure: ReturnType<typeof createMeasure>;
}

/** Adds the rate and the time left, unless the step has them. */
function createMeasure(clockMs: () => number) {
  let stage: string | undefined;
  let startedMs = 0;
  return (step: StageProgress) => {
    const nowMs = clockMs();
    const isNewStage = step.stage !== stage;
    if (isNewStage) startedMs = nowMs;
    stage = step.stage;
    const seconds = (nowMs - startedMs) / 1000;
    if (step.perSecond !== undefined || step.done === 0 || seconds < MIN_RATE_SECONDS) {
      return { nowMs, isNewStage, progress: step };
    }
    const perSecond = step.done / seconds;
    const secondsLeft = step.total === undefined ? undefined : (step.total - step.done) / perSecond;
    return { nowMs, isNewStage, progress: { ...step, perSecond, secondsLeft } };
  };
}

function createBar(title: string, { stream, measure }: Drawing): Progress {
  let drawnMs: number | undefined;
  const clear = () => {
    if (drawnMs !== undefined) stream.write(CLEAR_LINE);
    drawnMs = undefined;
  };
  let isStopping = false;
  const signals = createSignalWatch((signal) => {
    clear();
    isStopping = signal !== 'SIGHUP'; // which a service reloads its files for
  });
  return {
    show(step) {
      if (isStopping) return;
      const { nowMs, isNewStage, progress } = measure(step);
      if (!isNewStage && drawnMs !== undefined && nowMs - drawnMs < REDRAW_INTERVAL_MS) return;
      drawnMs = nowMs;
      // the last column stays free, because some terminals wrap after it
      const width = terminalWidth(stream) - 1;
      signals.start();
      stream.write(`${CLEAR_LINE}${renderText(progressBar(title, progress, width), stream)}`);
    },
    end() {
      signals.stop();
      clear();
    },
  };
}

/** Clears the line when a signal arrives. Then the signal does what it would have done. */
function createSignalWatch(clear: (signal: NodeJS.Signals) => void) {
  const onSignal = (signal: NodeJS.Signals) => {
    clear(signal);
    const isHandledElsewhere = process.listenerCount(signal) > 1;
    if (isHandledElsewhere) return;
    stop();
    process.kill(process.pid, signal);
  };
  const stop = () => {
    for (const signal of SIGNALS) process.off(signal, onSignal);
  };
  const start = () => {
    stop(); // it may have been started
    for (const signal of SIGNALS) process.on(signal, onSignal);
  };
  return { start, stop };
}

/** Lines for a log, such as `Building x: sorting 45%, 9 of 20, 3/s, 4 s left`. */
function createLines(title: string, { stream, measure, isUsuallyShort }: Drawing): Progress {
  let writtenMs = 0;
  return {
    show(step) {
      const { nowMs, isNewStage, progress } = measure(step);
      if (!isNewStage && nowMs - writtenMs < LINE_INTERVAL_MS) return;
      writtenMs = nowMs;
      if (isNewStage && isUsuallyShort) return;
      const { percentage, count, rate, timeLeft } = formatFigures(progress);
      const figures = [percentage.trimStart(), count, rate, timeLeft].filter((text) => text !== '').join(', ');
      const head = printable(headOf(title, step.stage));
      stream.write(isNewStage ? `${head}\n` : `${head} ${figures}\n`);
    },
    end() {},
  };
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
  const [full, empty] = isUtf8Terminal() ? (['█', '░'] as const) : (['#', '-'] as const);
  const filled = Math.min(Math.floor(share * width), width);
  return joinText([styled('bar', full.repeat(filled)), styled('faint', empty.repeat(width - filled))]);
}
