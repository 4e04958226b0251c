/**
 * Collects garbage soon after an index was replaced. Its memory is freed once every thread has
 * collected, and an idle thread might not for hours. A collection takes a few milliseconds.
 */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Time for operations that use the old memory to end. */
const SETTLE_MS = 1000;
/** Time after a reload by which the old index is freed, unless a thread is very busy. */
export const MEMORY_FREED_MS = 1500;

export function collectGarbageSoon(): void {
  setTimeout(collectGarbage, SETTLE_MS).unref();
}

/** Does nothing if V8 does not expose its collector; the memory is then freed later. */
function collectGarbage(): void {
  try {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    collect();
  } catch {}
}
