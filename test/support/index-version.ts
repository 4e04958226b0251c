/** Index files of a few places, for services whose data is not the point of a test. */
import { join } from 'node:path';
import { writeIndexFile } from 'toponym-files/index-file';
import { buildIndex } from 'toponym-gazetteer/build/build-index';
import { aGazetteer, aPlace } from './an-engine.ts';
import { oncePerRun } from './once-per-run.ts';

/** Writes an index with this data version, of places with these names, the most populous first. */
export async function writeVersion(file: string, version: string, names: readonly string[]): Promise<void> {
  const places = names.map((name, i) => aPlace({ id: `G${i + 1}`, name, population: 100_000 - i }));
  const { chunks } = await buildIndex({ ...aGazetteer(places), version });
  writeIndexFile(file, chunks);
}

/** Returns the path of an index of Alba (G1) and Borea (G2), which tests must not change. */
export async function smallIndex(): Promise<string> {
  const folder = await oncePerRun('small-index', (made) =>
    writeVersion(join(made, 'small.toponym'), 'one', ['Alba', 'Borea']),
  );
  return join(folder, 'small.toponym');
}
