/**
 * One question a person might type, and the place they mean. Cases come from general knowledge of
 * the world, not from what the engine answers: one that fails today stays, and counts as failing
 * until the engine learns it.
 */
import type { PlaceType } from '../../src/place/place.ts';
import type { LatLng } from '../../src/place/sphere.ts';

export interface RelevanceCase {
  /** As typed. */
  readonly query: string;
  /** One sentence: what the person means. */
  readonly intent: string;
  /** The objectID of the place meant; where several would please, any of them. */
  readonly expect: string | readonly string[];
  /** The lowest rank at which it still serves; the first is 1. */
  readonly within: 1 | 3 | 5 | 10;
  readonly around?: LatLng;
  /** With `around`: restricts instead of biasing. */
  readonly radiusMeters?: number;
  readonly language?: string;
  readonly types?: readonly PlaceType[];
  /** ISO 3166-1 alpha-2, upper case. */
  readonly countries?: readonly string[];
  /** Records of one and the same settlement: at most one of them may be on the page. */
  readonly twins?: readonly string[];
}
