/** Reads an overlay. Apart from overlay.ts, whose code a service does not load. */
import { errorReason, UsageError } from 'toponym-files/errors/errors';
import { readTextFile } from 'toponym-files/regular-file';

const MAX_OVERLAY_BYTES = 64 * 1024 * 1024;

/** Throws UsageError. */
export function readOverlay(path: string): string {
  try {
    return readTextFile(path, MAX_OVERLAY_BYTES);
  } catch (error) {
    throw new UsageError(`The overlay ${path} cannot be read: ${errorReason(error)}.`, { cause: error });
  }
}
