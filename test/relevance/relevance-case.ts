/**
 * A query that a person might type, and the intended place. Cases come from general knowledge of
 * the world, not from results of the engine, so some cases fail.
 */
import type { PlaceType } from '../../src/place/place.ts';
import type { LatLng } from '../../src/place/sphere.ts';

export interface RelevanceCase {
  readonly query: string;
  /** What the person means, in a few words. */
  readonly intent: string;
  /** The objectID of the intended place, or several acceptable ones. */
  readonly expect: string | readonly string[];
  /** The last acceptable rank; the first is 1. */
  readonly within: 1 | 3 | 5 | 10;
  readonly around?: LatLng;
  /** With `around`: restricts instead of biasing. */
  readonly radiusMeters?: number;
  readonly language?: string;
  readonly types?: readonly PlaceType[];
  /** ISO 3166-1 alpha-2, upper case. */
  readonly countries?: readonly string[];
  /** The label that the intended place must have. */
  readonly label?: string;
  /** Records of the same settlement: at most one of them may be on the page. */
  readonly duplicates?: readonly string[];
}
