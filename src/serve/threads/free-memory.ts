/**
 * Frees memory soon after it was let go. An index that was replaced is freed when every thread has collected its garbage,
 * and a thread with little to do may not for hours; so each does when it lets an index go. Costs some milliseconds.
 */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Once what was under way with the old memory has ended. */
const SETTLE_MS = 1000;
/** By this time after a reload the memory of the replaced index has been freed, unless a thread is very busy. */
export const MEMORY_FREED_MS = 1500;

export function freeMemorySoon(): void {
  setTimeout(collectGarbage, SETTLE_MS).unref();
}

/** Does nothing if the engine cannot be asked to collect: then memory is freed later, which harms nobody. */
function collectGarbage(): void {
  try {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    collect();
  } catch {}
}
