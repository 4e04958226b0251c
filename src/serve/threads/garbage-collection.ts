/**
 * Collects garbage soon after an index was replaced. The old index is freed once every thread has
 * collected, and an idle thread might not do so for hours.
 */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** By then, no request uses the old index. */
const SETTLE_MS = 1000;
/** Pause between two reloads, in which the old index is freed. */
export const PAUSE_AFTER_RELOAD_MS = 1500;

export function collectGarbageSoon(): void {
  setTimeout(collectGarbage, SETTLE_MS).unref();
}

function collectGarbage(): void {
  try {
    setFlagsFromString('--expose-gc');
    // only contexts created from now on have `gc`
    const collect = runInNewContext('gc') as () => void;
    collect();
  } catch {} // V8 then frees the memory later
}
