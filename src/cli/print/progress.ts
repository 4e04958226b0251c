/** Progress on standard error: one redrawn line on a terminal, one line per stage elsewhere. */
import { formatCount } from './facts.ts';
import { printable } from './printable.ts';

const REDRAW_INTERVAL_MS = 100;
const CLEAR_LINE = '\r\x1b[2K';

interface StageProgress {
  readonly stage: string;
  readonly done: number;
  readonly total?: number;
  /** Shown instead of the count. */
  readonly detail?: string;
}

export function createProgress(title: string, stream: NodeJS.WriteStream = process.stderr) {
  let stage = '';
  let stageStartedMs = 0;
  let drawnMs = 0;
  return {
    show(progress: StageProgress): void {
      const nowMs = performance.now();
      const isNewStage = progress.stage !== stage;
      if (isNewStage) stageStartedMs = nowMs;
      stage = progress.stage;
      if (!stream.isTTY) {
        if (isNewStage) stream.write(`${printable(`${title}: ${stage}`)}\n`);
        return;
      }
      if (!isNewStage && nowMs - drawnMs < REDRAW_INTERVAL_MS) return;
      drawnMs = nowMs;
      const line = `${title}: ${stage}${formatDone(progress, (nowMs - stageStartedMs) / 1000)}`;
      stream.write(`${CLEAR_LINE}${printable(line)}`);
    },
    end(): void {
      if (stream.isTTY && stage !== '') stream.write(CLEAR_LINE);
    },
  };
}

function formatDone({ done, total, detail }: StageProgress, stageSeconds: number): string {
  if (detail !== undefined) return ` ${detail}`;
  if (done === 0) return '…';
  const percentage = total === undefined ? '' : ` ${Math.floor((100 * done) / total)}%`;
  const count = `${percentage} ${formatCount(done)}`;
  if (stageSeconds < 0.5) return count; // too early for a reliable rate
  const perSecond = done / stageSeconds;
  const left = total === undefined ? '' : `, ${Math.ceil((total - done) / perSecond)} s left`;
  return `${count} (${formatCount(Math.round(perSecond))}/s${left})`;
}
