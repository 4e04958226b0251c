/**
 * Collects garbage soon after an index was replaced. The old index is freed once every thread has
 * collected, and an idle thread might not do so for hours. A collection takes a few milliseconds.
 */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Time from the replacement to the collection: all use of the old index ends in it. */
const SETTLE_MS = 1000;
/** Pause between two reloads: by its end the old index is freed, unless a thread is very busy. */
export const PAUSE_AFTER_RELOAD_MS = 1500;

export function collectGarbageSoon(): void {
  setTimeout(collectGarbage, SETTLE_MS).unref();
}

/** Does nothing if V8 does not expose its collector; the memory is then freed later. */
function collectGarbage(): void {
  try {
    setFlagsFromString('--expose-gc');
    // only contexts created after the flag was set have `gc`
    const collect = runInNewContext('gc') as () => void;
    collect();
  } catch {}
}
