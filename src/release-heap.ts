/**
 * Collects garbage, and returns the free memory of the thread's heap to the system. V8 does so late: a busy
 * thread keeps some 400 MB after it has read two million places, an idle one may keep a replaced index for
 * hours. Without V8 nothing happens.
 */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

export function releaseHeap(): void {
  try {
    setFlagsFromString('--expose-gc');
    // only contexts created from now on have `gc`
    const collectGarbage = runInNewContext('gc') as (options: object) => void;
    setFlagsFromString('--no-expose-gc');
    collectGarbage({ type: 'major', execution: 'sync', flavor: 'last-resort' });
  } catch {
    // another engine than V8
  }
}
