import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';

/** A folder that is removed when the test ends. */
export function temporaryFolder(context: Pick<TestContext, 'after'>): string {
  const folder = mkdtempSync(join(tmpdir(), 'toponym-test-'));
  context.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
