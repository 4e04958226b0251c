/** Prevents a bad build from emptying a live service. */
import { IndexFormatError } from '../../index-file/format-error.ts';
import type { Meta } from '../../index-file/layout.ts';
import { openIndex } from '../../index-file/open-index.ts';

/** What the checks of new data compare. */
export type ServedFacts = Pick<Meta, 'version' | 'places'>;

export class ShrunkenDataError extends IndexFormatError {
  /** Contains no path and nothing of the file but its number of places. */
  readonly publicReason: string;

  constructor(message: string, publicReason: string) {
    super(message);
    this.publicReason = publicReason;
  }
}

interface PlaceCountCheck {
  /** For messages: a path or a URL. */
  readonly indexPath: string;
  readonly allowShrunkenData: boolean;
  /** Undefined until the service has started. */
  readonly served: ServedFacts | undefined;
  /** How to use the index anyway; by default a restart. */
  readonly remedy?: string;
}

/** Returns the facts of the index. Throws IndexFormatError if there are too few places. */
export function checkPlaceCount(index: SharedArrayBuffer, check: PlaceCountCheck): ServedFacts {
  const { indexPath, allowShrunkenData, served, remedy = 'restart the service or set --allow-shrunken-data' } = check;
  const { places, version } = openIndex(index).metadata;
  const facts = { places, version };
  if (allowShrunkenData) return facts;
  if (places === 0) {
    throw new IndexFormatError(
      `${indexPath}: the index holds no places. Check its build report, or allow this with --allow-shrunken-data`,
    );
  }
  if (served !== undefined && places < served.places / 2) {
    const counts = `${places.toLocaleString('en')} places, and ${served.places.toLocaleString('en')} are being served`;
    throw new ShrunkenDataError(
      `${indexPath}: the index holds ${counts}. Check its build report; to use it anyway, ${remedy}`,
      `it holds ${counts}. To use it anyway, ${remedy}`,
    );
  }
  return facts;
}
