/** What the page tells the map, and what the map tells the page. */

export interface LatLng {
  readonly lat: number;
  readonly lng: number;
}

export interface MapHit extends LatLng {
  readonly id: string;
  readonly label: string;
}

export interface LabelPlace extends LatLng {
  readonly name: string;
  readonly population: number;
}

export interface MapOptions {
  readonly workerUrl: string;
  readonly worldUrl: string;
  /** The user clicked a point that is no marker. */
  onClick(point: LatLng): void;
  onHitClick(id: string): void;
  /** `isStep`: by one press of an arrow key, of which more may follow. */
  onPointMoved(point: LatLng, isStep: boolean): void;
  /** The map cannot be drawn after all, because its worker does not run. */
  onFailed(): void;
  /** The user moved the map. */
  onMoved(center: LatLng, zoom: number): void;
  /** Places to label in the visible box, most important first. */
  loadLabels(
    box: { south: number; west: number; north: number; east: number },
    zoom: number,
    signal: AbortSignal,
  ): Promise<readonly LabelPlace[]>;
}

export interface PlaceMap {
  showHits(hits: readonly MapHit[], selectedId: string | undefined): void;
  /** Shows a point that the user can move, and names it for screen readers. */
  showPoint(point: LatLng | undefined, name: string): void;
  showRadius(center: LatLng | undefined, radiusMeters: number | undefined): void;
  /** Asks for the labels again: their names have changed. */
  reloadLabels(): void;
  readonly center: LatLng;
  close(): void;
}
