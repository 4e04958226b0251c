/** Progress on standard error: one line that is written again and again on a terminal, and lines elsewhere. */
import type { LoadOptions } from 'toponym-gazetteer/datasets/embedded-index';
import type { DownloadProgress } from 'toponym-gazetteer/fetch/download';
import { formatCount, formatDuration, formatMegabytes } from './facts.ts';
import { note } from './output.ts';
import { printable } from './styled-text.ts';
import { displayWidth, shorten, terminalWidth } from './text-width.ts';

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
  /** Whether lines begin only after some seconds. A terminal always shows the progress. */
  readonly isUsuallyShort?: boolean;
}

const REDRAW_INTERVAL_MS = 100;
/** Between the lines about one stage. */
const LINE_INTERVAL_MS = 10_000;
/** Before that, a rate is not reliable. */
const MIN_RATE_SECONDS = 0.5;
const CLEAR_LINE = '\r\x1b[2K';

export function createProgress(title: string, options: ProgressOptions = {}): Progress {
  const { stream = process.stderr, nowMs: clockMs = () => performance.now(), isUsuallyShort = false } = options;
  const isTerminal = stream.isTTY && process.env.TERM !== 'dumb';
  const intervalMs = isTerminal ? REDRAW_INTERVAL_MS : LINE_INTERVAL_MS;
  const measure = createMeasure(clockMs);
  let writtenMs: number | undefined;
  return {
    show(step) {
      const { nowMs, isNewStage, progress } = measure(step);
      if (!isNewStage && writtenMs !== undefined && nowMs - writtenMs < intervalMs) return;
      writtenMs = nowMs;
      const head = printable(step.stage === '' ? title : `${title}: ${step.stage}`);
      const figures = formatFigures(progress);
      const line = `${head} ${figures}`;
      // the last column stays free, because some terminals wrap after it
      const width = terminalWidth(stream) - 1;
      const fitting = displayWidth(line) <= width ? line : `${printable(step.stage || title)} ${figures}`;
      if (isTerminal) stream.write(`${CLEAR_LINE}${shorten(fitting, width)}`);
      else if (!isNewStage) stream.write(`${line}\n`);
      else if (!isUsuallyShort) stream.write(`${head}\n`);
    },
    end() {
      if (isTerminal && writtenMs !== undefined) stream.write(CLEAR_LINE);
      writtenMs = undefined;
    },
  };
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

/** `45%, 4 s left, 9 of 20, 3/s`: a narrow terminal cuts off what matters least. */
function formatFigures({ done, total, unit, perSecond, secondsLeft }: StageProgress): string {
  if (done === 0) return '…';
  const format = unit === 'bytes' ? formatMegabytes : (count: number) => formatCount(Math.round(count));
  const figures = [
    total === undefined ? undefined : `${Math.floor((100 * done) / total)}%`,
    secondsLeft === undefined ? undefined : `${formatDuration(secondsLeft)} left`,
    total === undefined ? format(done) : `${format(done).replace(/ MB$/, '')} of ${format(total)}`,
    perSecond === undefined ? undefined : `${format(perSecond)}/s`,
  ];
  return figures.filter((figure) => figure !== undefined).join(', ');
}
