/**
 * Progress on standard error: one line that is rewritten on a terminal, a plain line for each new stage elsewhere.
 */
const REDRAW_MS = 100;

/** What sources and the builder report. */
export interface Step {
  readonly stage: string;
  readonly done: number;
  readonly total?: number;
}

export interface Progress {
  show(step: Step): void;
  /** Ends the line that is being rewritten. */
  end(): void;
}

export function createProgress(title: string, stream: NodeJS.WriteStream = process.stderr): Progress {
  let stage = '';
  let drawnMs = 0;
  return {
    show(step) {
      const isNewStage = step.stage !== stage;
      stage = step.stage;
      if (!stream.isTTY) {
        if (isNewStage) stream.write(`${title}: ${stage}\n`);
        return;
      }
      if (!isNewStage && performance.now() - drawnMs < REDRAW_MS) return;
      drawnMs = performance.now();
      stream.write(`\r\x1b[2K${title}: ${stage}${countOf(step)}`);
    },
    end() {
      if (stream.isTTY && stage !== '') stream.write('\r\x1b[2K');
    },
  };
}

function countOf({ done, total }: Step): string {
  if (done === 0) return '…';
  return total === undefined ? ` ${done.toLocaleString('en')}` : ` ${Math.floor((100 * done) / total)}%`;
}
