/** Progress of building the embedded index, shown on standard error. */
import type { LoadOptions } from '../../datasets/embedded-index.ts';
import { note } from './output.ts';
import { createProgress } from './progress.ts';

export async function withIndexingProgress<T>(
  load: (options: Pick<LoadOptions, 'onProgress' | 'onWait'>) => Promise<T>,
): Promise<T> {
  const progress = createProgress('Indexing the embedded places');
  const onWait = () => note('Another process is indexing the embedded places: waiting for it.');
  return await load({ onProgress: progress.show, onWait }).finally(() => progress.end());
}
