/** Prevents a bad build from emptying a live service. */
import { IndexFormatError } from '../../index-file/format-error.ts';
import { openIndex } from '../../index-file/open-index.ts';

export interface PlaceCountCheck {
  readonly indexPath: string;
  readonly allowShrunkenData: boolean;
  /** Undefined until the service has started. */
  readonly servedPlaceCount: number | undefined;
}

/** Returns the number of places. Throws IndexFormatError if there are too few. */
export function checkPlaceCount(index: SharedArrayBuffer, check: PlaceCountCheck): number {
  const { indexPath, allowShrunkenData, servedPlaceCount } = check;
  const { places } = openIndex(index).metadata;
  if (allowShrunkenData) return places;
  if (places === 0) {
    throw new IndexFormatError(
      `${indexPath}: the index holds no places. Check its build report, or allow this with --allow-shrunken-data`,
    );
  }
  if (servedPlaceCount !== undefined && places < servedPlaceCount / 2) {
    const counts = `${places.toLocaleString('en')} places, and ${servedPlaceCount.toLocaleString('en')} are being served`;
    throw new IndexFormatError(
      `${indexPath}: the index holds ${counts}. Check its build report; to use it anyway, restart the service or set --allow-shrunken-data`,
    );
  }
  return places;
}
