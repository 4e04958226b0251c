/** A state folder that exists as long as the process. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { errorMessage } from '../../errors/errors.ts';
import { note } from '../print/output.ts';

/** Readable by its owner only. Removed when the process exits, unless it is killed. */
export function createDemoFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'toponym-demo-'));
  process.once('exit', () => {
    try {
      rmSync(folder, { recursive: true, force: true });
    } catch (error) {
      note(`toponym: the demo's files in ${folder} could not be removed: ${errorMessage(error)}`);
    }
  });
  return folder;
}
