/** NDJSON files for tests, and reading all places of a gazetteer. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { Gazetteer, Place } from '../../../src/place/place.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** The fields of a valid place line. */
export const GOOD = { id: 'X1', name: 'A', lat: 1, lng: 2, country: 'LI' };

export async function readAll(gazetteer: Gazetteer): Promise<Place[]> {
  const places: Place[] = [];
  for await (const place of gazetteer.places) places.push(place);
  return places;
}

export function aFile(context: TestContext, name: string, content: string | Buffer): string {
  const path = join(temporaryFolder(context), name);
  writeFileSync(path, content);
  return path;
}
