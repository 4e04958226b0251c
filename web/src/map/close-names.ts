/**
 * The settlements of close views, whose names no file could hold. The map asks for them when it has come to
 * rest, and keeps the answers: a view inside one of them costs no call.
 */
import type { Map as MapLibre } from 'maplibre-gl';
import type { Bounds } from './bounds.ts';
import type { MapOptions, Settlement, Settlements } from './place-map.ts';

/** Farther away, the names of the map's file fill the view. */
export const CLOSE_NAMES_ZOOM = 6.5;
const REST_MS = 400;
/** A tenth of what the page's key allows: searches come first. */
const MAX_CALLS_PER_MINUTE = 30;
const MAX_ANSWERS = 50;
/** An answer is enough for a view that is a little larger, closer or beside it. */
const MARGIN = 0.1;
const ZOOM_MARGIN = 0.7;

interface Answer extends Settlements {
  readonly view: Bounds;
  readonly zoom: number;
}

type View = Pick<MapLibre, 'getBounds' | 'getZoom' | 'on'>;

export class CloseNames {
  readonly #map: View;
  readonly #find: MapOptions['findSettlements'];
  readonly #show: (places: readonly Settlement[]) => void;
  readonly #answers: Answer[] = [];
  readonly #callTimes: number[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #call = new AbortController();

  constructor(map: View, find: MapOptions['findSettlements'], show: (places: readonly Settlement[]) => void) {
    this.#map = map;
    this.#find = find;
    this.#show = show;
    map.on('moveend', () => this.#updateSoon());
  }

  /** The names are in another language now. */
  reset(): void {
    this.#answers.length = 0;
    this.#show([]);
    this.#updateSoon();
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#call.abort();
  }

  #updateSoon(): void {
    this.close();
    this.#timer = setTimeout(() => void this.#update(), REST_MS);
  }

  async #update(): Promise<void> {
    const zoom = this.#map.getZoom();
    const bounds = this.#map.getBounds();
    const [south, west] = [bounds.getSouth(), bounds.getWest()];
    const view = { south, west, north: bounds.getNorth(), east: bounds.getEast() };
    if (zoom < CLOSE_NAMES_ZOOM || this.#answers.some((answer) => isEnough(answer, view, zoom)) || !this.#mayCall())
      return;
    this.#call = new AbortController();
    const { signal } = this.#call;
    try {
      const found = await this.#find(view, signal);
      if (signal.aborted) return;
      this.#answers.push({ ...found, view, zoom });
      if (this.#answers.length > MAX_ANSWERS) this.#answers.shift();
      this.#show(this.#answers.flatMap(({ places }) => places));
    } catch {
      // the names are an extra; the next move asks again
    }
  }

  #mayCall(): boolean {
    const now = performance.now();
    while ((this.#callTimes[0] ?? now) < now - 60_000) this.#callTimes.shift();
    return this.#callTimes.length < MAX_CALLS_PER_MINUTE && this.#callTimes.push(now) > 0;
  }
}

function isEnough(answer: Answer, view: Bounds, zoom: number): boolean {
  const lng = MARGIN * (view.east - view.west);
  const lat = MARGIN * (view.north - view.south);
  const isInside =
    view.west >= answer.view.west - lng &&
    view.east <= answer.view.east + lng &&
    view.south >= answer.view.south - lat &&
    view.north <= answer.view.north + lat;
  return isInside && (answer.areAll || zoom <= answer.zoom + ZOOM_MARGIN);
}
