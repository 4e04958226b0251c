/**
 * Gives memory back at once. An index that was replaced is freed when every thread has collected its garbage, and a
 * thread with little to do may not for hours; so each does when it lets an index go. Costs some milliseconds.
 */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Once what was under way with the old memory has ended. */
const SETTLE_MS = 1000;

export function freeMemorySoon(): void {
  setTimeout(collectGarbage, SETTLE_MS).unref();
}

function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  collect();
}
