/**
 * Gives memory back at once. An index that was replaced is freed when every thread has collected its garbage, and a
 * thread with little to do may not for hours; so each does when it lets an index go. Costs some milliseconds.
 */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** After what runs now has let go of its variables. */
export function freeMemorySoon(): void {
  setImmediate(() => collect());
}
