/** NDJSON files for tests. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { temporaryFolder } from '../../../../../test/support/temporary-folder.ts';

/** The fields of a valid place line. */
export const GOOD = { id: 'X1', name: 'A', lat: 1, lng: 2, country: 'LI' };

export function aFile(context: TestContext, name: string, content: string | Buffer): string {
  const path = join(temporaryFolder(context), name);
  writeFileSync(path, content);
  return path;
}
