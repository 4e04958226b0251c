/** Progress on standard error: a bar on a terminal, and plain lines elsewhere. */
import { terminalWidth } from './fill-lines.ts';
import { progressBar, progressSentence, type StageProgress, stageSentence } from './progress-line.ts';
import { renderText } from './styled-text.ts';

const REDRAW_INTERVAL_MS = 100;
/** Between the lines about one stage. */
const LINE_INTERVAL_MS = 10_000;
/** Before that, a rate is not reliable. */
const MIN_RATE_SECONDS = 0.5;
const CLEAR_LINE = '\r\x1b[2K';
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

export interface Progress {
  readonly show: (step: StageProgress) => void;
  readonly end: () => void;
}

export interface ProgressOptions {
  readonly stream?: NodeJS.WriteStream;
  readonly nowMs?: () => number;
  /** Whether lines begin only after some seconds. A bar is always shown. */
  readonly isUsuallyShort?: boolean;
}

export function createProgress(title: string, options: ProgressOptions = {}): Progress {
  const { stream = process.stderr, nowMs = () => performance.now() } = options;
  const isTerminal = stream.isTTY && process.env.TERM !== 'dumb';
  const measure = createMeasure(nowMs);
  return isTerminal ? createBar(title, stream, { measure }) : createLines(title, stream, { ...options, measure });
}

type Measure = (step: StageProgress) => {
  readonly nowMs: number;
  readonly isNewStage: boolean;
  readonly progress: StageProgress;
};

/** Adds the rate and the time left, unless the step has them. */
function createMeasure(clockMs: () => number): Measure {
  let stage: string | undefined;
  let startedMs = 0;
  return (step) => {
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

function createBar(title: string, stream: NodeJS.WriteStream, { measure }: { readonly measure: Measure }): Progress {
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
  let isWatching = false;
  const onSignal = (signal: NodeJS.Signals) => {
    clear(signal);
    const isHandledElsewhere = process.listenerCount(signal) > 1;
    if (isHandledElsewhere) return;
    watch.stop();
    process.kill(process.pid, signal);
  };
  const watch = {
    start(): void {
      if (isWatching) return;
      isWatching = true;
      for (const signal of SIGNALS) process.on(signal, onSignal);
    },
    stop(): void {
      isWatching = false;
      for (const signal of SIGNALS) process.off(signal, onSignal);
    },
  };
  return watch;
}

function createLines(
  title: string,
  stream: NodeJS.WriteStream,
  { measure, isUsuallyShort = false }: ProgressOptions & { readonly measure: Measure },
): Progress {
  let writtenMs = 0;
  return {
    show(step) {
      const { nowMs, isNewStage, progress } = measure(step);
      if (!isNewStage && nowMs - writtenMs < LINE_INTERVAL_MS) return;
      writtenMs = nowMs;
      if (isNewStage && isUsuallyShort) return;
      const line = isNewStage ? stageSentence(title, step) : progressSentence(title, progress);
      stream.write(`${line}\n`);
    },
    end() {},
  };
}
