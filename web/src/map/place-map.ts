/** What the page tells the map, and what the map tells the page. */
import type { Bounds } from './bounds.ts';

export interface LatLng {
  readonly lat: number;
  readonly lng: number;
}

export interface MapHit extends LatLng {
  readonly id: string;
  readonly label: string;
  /** West, south, east and north of the place. */
  readonly bbox?: readonly [number, number, number, number] | undefined;
}

export interface Settlement extends LatLng {
  readonly name: string;
  /** Undefined if unknown. */
  readonly population: number | undefined;
}

export interface Settlements {
  readonly places: readonly Settlement[];
  /** Whether the view has no other settlements. */
  readonly areAll: boolean;
}

export interface MapOptions {
  readonly workerUrl: string;
  readonly worldUrl: string;
  /** Finer land and borders, loaded for the first close view. */
  readonly closeWorldUrl: string;
  readonly labelsUrl: string;
  /** Finds the most important settlements of a view, for their names. */
  findSettlements(view: Bounds, signal: AbortSignal): Promise<Settlements>;
  /** The user clicked a point that is no marker. */
  onClick(point: LatLng): void;
  onHitClick(id: string): void;
  /** `isStep`: by one press of an arrow key, of which more may follow. */
  onPointMoved(point: LatLng, isStep: boolean): void;
  /** The map cannot be drawn after all, because its worker does not run. */
  onFailed(): void;
  /** The user moved the map. */
  onMoved(center: LatLng, zoom: number): void;
}

export interface PlaceMap {
  /** `around`: the point that the hits are nearest to. */
  showHits(hits: readonly MapHit[], selectedId: string | undefined, around?: LatLng): void;
  /** Shows a point that the user can move, and names it for screen readers. */
  showPoint(point: LatLng | undefined, name: string): void;
  showRadius(center: LatLng | undefined, radiusMeters: number | undefined): void;
  /** Sets the language of the labels: a BCP 47 tag, or empty for the usual names. */
  setLanguage(language: string): void;
  readonly center: LatLng;
  close(): void;
}
