/** The point near which places are preferred: a button that the mouse or the arrow keys move. */
import { type Map as MapLibre, Marker } from 'maplibre-gl';
import type { LatLng } from './place-map.ts';

/** Pixels per key press; with Shift, ten times as many. */
const STEP = 10;
const DIRECTIONS: Readonly<Record<string, readonly [x: number, y: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

export class BiasMarker {
  readonly #map: MapLibre;
  readonly #marker: Marker;
  readonly #onMoved: (point: LatLng) => void;

  constructor(map: MapLibre, onMoved: (point: LatLng) => void) {
    this.#map = map;
    this.#onMoved = onMoved;
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'map-bias';
    button.setAttribute('aria-label', 'Prefer places near this point. Drag it, or move it with the arrow keys.');
    button.addEventListener('click', (event) => event.stopPropagation());
    button.addEventListener('keydown', (event) => this.#moveByKey(event));
    this.#marker = new Marker({ element: button, draggable: true, opacityWhenCovered: 0 });
    this.#marker.on('dragend', () => this.#report());
  }

  show(point: LatLng | undefined): void {
    if (point === undefined) this.#marker.remove();
    else this.#marker.setLngLat(point).addTo(this.#map);
  }

  #moveByKey(event: KeyboardEvent): void {
    const direction = DIRECTIONS[event.key];
    if (direction === undefined) return;
    event.preventDefault();
    event.stopPropagation(); // the map would move too
    const [x, y] = direction;
    const step = event.shiftKey ? 10 * STEP : STEP;
    const from = this.#map.project(this.#marker.getLngLat());
    this.#marker.setLngLat(this.#map.unproject([from.x + x * step, from.y + y * step]));
    this.#report();
  }

  #report(): void {
    const { lat, lng } = this.#marker.getLngLat().wrap();
    this.#onMoved({ lat, lng });
  }
}
