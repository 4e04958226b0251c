/** Data that the sections share: the places, in memory and as a file, and our index. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { builtIndex } from '../test/support/built-index.ts';
import { type BenchPlace, readEmbeddedPlaces } from './places.ts';

export interface BenchData {
  readonly places: readonly BenchPlace[];
  readonly placesFile: string;
  readonly indexFile: string;
  /** Temporary folder, removed after the run. */
  readonly folder: string;
  remove(): void;
}

export async function prepareData(): Promise<BenchData> {
  const indexFile = await builtIndex();
  const places = await readEmbeddedPlaces();
  const folder = mkdtempSync(join(tmpdir(), 'toponym-bench-'));
  const placesFile = join(folder, 'places.json');
  writeFileSync(placesFile, JSON.stringify(places));
  return { places, placesFile, indexFile, folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
