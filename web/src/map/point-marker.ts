/** A point that the page works with: a button that the mouse or the arrow keys move. */
import { type Map as MapLibre, Marker } from 'maplibre-gl';
import type { LatLng, MapOptions } from './place-map.ts';

/** Pixels per key press; with Shift, ten times as many. */
const STEP = 10;
const DIRECTIONS: Readonly<Record<string, readonly [x: number, y: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

export class PointMarker {
  readonly #map: MapLibre;
  readonly #button = document.createElement('button');
  readonly #marker: Marker;
  readonly #onMoved: MapOptions['onPointMoved'];

  constructor(map: MapLibre, onMoved: MapOptions['onPointMoved']) {
    this.#map = map;
    this.#onMoved = onMoved;
    this.#button.type = 'button';
    this.#button.className = 'map-point';
    this.#button.style.zIndex = '100'; // above the hits
    this.#button.addEventListener('click', (event) => event.stopPropagation());
    this.#button.addEventListener('keydown', (event) => this.#moveByKey(event));
    this.#marker = new Marker({ element: this.#button, draggable: true, opacityWhenCovered: 0 });
    this.#marker.on('dragend', () => this.#report(false));
  }

  show(point: LatLng | undefined, name: string): void {
    this.#button.setAttribute('aria-label', `${name}. Drag it, or move it with the arrow keys.`);
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
    this.#report(true);
  }

  #report(isStep: boolean): void {
    const { lat, lng } = this.#marker.getLngLat().wrap();
    this.#onMoved({ lat, lng }, isStep);
  }
}
