/**
 * A bad build must not empty a live service: an index without places, or with less than half of those being served, is
 * refused unless the operator allows it.
 */
import { IndexFormatError } from '../../index-file/format-error.ts';
import { openIndex } from '../../index-file/open-index.ts';

export interface Admission {
  readonly indexPath: string;
  readonly allowShrunkenData: boolean;
  /** Places in the index being served; undefined at the start. */
  readonly servedPlaces: number | undefined;
}

/** Returns how many places the index holds. */
export function admitIndex(index: SharedArrayBuffer, admission: Admission): number {
  const { places } = openIndex(index).head;
  if (!admission.allowShrunkenData) refuseShrunken(places, admission);
  return places;
}

function refuseShrunken(places: number, { indexPath, servedPlaces }: Admission): void {
  if (places === 0) {
    throw new IndexFormatError(
      `${indexPath}: the index holds no places. Check its build report, or allow this with --allow-shrunken-data`,
    );
  }
  if (servedPlaces !== undefined && places < servedPlaces / 2) {
    const counts = `${places.toLocaleString('en')} places where ${servedPlaces.toLocaleString('en')} are being served`;
    throw new IndexFormatError(
      `${indexPath}: the index holds ${counts}. Check its build report; a restart, or --allow-shrunken-data, takes it up`,
    );
  }
}
