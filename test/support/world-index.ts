/** An index of some sixty well-known places, for tests in which any places would do. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { oncePerRun } from './once-per-run.ts';

const WORLD = fileURLToPath(new URL('../fixtures/sources/world.ndjson', import.meta.url));
const NAME = 'world.toponym';

/** Returns the path of the index file, which tests must not change. */
export async function worldIndex(): Promise<string> {
  const folder = await oncePerRun('world', async (unfinished) => {
    // imported only if needed, because most processes find the index made
    const { buildIndex } = await import('toponym-gazetteer/build/build-index');
    const { writeIndexFile } = await import('toponym-files/index-file');
    const { openNdjson } = await import('toponym-gazetteer/sources/ndjson');
    const { chunks } = await buildIndex(await openNdjson([WORLD]));
    writeIndexFile(join(unfinished, NAME), chunks);
  });
  return join(folder, NAME);
}
