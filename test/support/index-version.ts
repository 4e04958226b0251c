import { buildIndex } from '../../src/build/build-index.ts';
import { writeIndexFile } from '../../src/index-file/file.ts';
import { aGazetteer, aPlace } from './an-engine.ts';

/** Writes an index with this data version, of places with these names, the most populous first. */
export async function writeVersion(file: string, version: string, names: readonly string[]): Promise<void> {
  const places = names.map((name, i) => aPlace({ id: `G${i + 1}`, name, population: 100_000 - i }));
  const { chunks } = await buildIndex({ ...aGazetteer(places), version });
  writeIndexFile(file, chunks);
}
