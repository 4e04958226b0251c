/**
 * Returns the free memory of the heap to the system. V8 keeps it otherwise while the thread is busy:
 * after two million places, some 400 MB that the index needs. Without V8 nothing happens.
 */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

export function releaseHeap(): void {
  try {
    setFlagsFromString('--expose-gc');
    const collectGarbage = runInNewContext('gc') as (options: object) => void;
    setFlagsFromString('--no-expose-gc');
    collectGarbage({ type: 'major', execution: 'sync', flavor: 'last-resort' });
  } catch {
    // another engine than V8
  }
}
