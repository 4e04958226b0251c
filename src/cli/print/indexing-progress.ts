/** Progress of building the embedded index, shown on standard error. */
import type { LoadOptions } from '../../datasets/embedded-index.ts';
import { note } from './output.ts';
import { createProgress } from './progress.ts';
import type { StageProgress } from './progress-line.ts';

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
