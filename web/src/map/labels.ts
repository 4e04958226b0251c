/**
 * The names of countries and places on the map. Those of countries and large places come from one file of the
 * page, so they cost no calls of the API. A label on the edge of the globe would float beside it: such labels are left out. The name of a
 * country moves within it to where it is in view and under no marker.
 */
import type { Feature, FeatureCollection } from 'geojson';
import type { Map as MapLibre } from 'maplibre-gl';
import { CLOSE_NAMES_ZOOM } from './close-names.ts';
import type { LatLng, Settlement } from './place-map.ts';

/** As web/labels.js writes them. */
export interface LabelData {
  readonly countries: readonly (readonly [code: string, firstZoom: number, spots: readonly Spot[]])[];
  readonly places: readonly PlaceRow[];
}

type Spot = readonly [lng: number, lat: number];

type PlaceRow = readonly [
  name: string,
  lng: number,
  lat: number,
  firstZoom: number,
  size: number,
  names?: Readonly<Record<string, string>>,
];

export interface Label {
  readonly name: string;
  /** Where it may be, best first. Only a country has more than one. */
  readonly spots: readonly LatLng[];
  readonly firstZoom: number;
  /** From 0 to 1; undefined for a country. */
  readonly size: number | undefined;
}

/** In pixels of the map. */
interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

type GlobeView = Pick<MapLibre, 'project' | 'unproject' | 'getContainer' | 'getZoom' | 'on'>;

const REST_MS = 200;
/** About the width of a letter, of a letter of a country when it is close, of its lines, and half their height. */
const LETTER = 8;
const COUNTRY_LETTER = 11;
const COUNTRY_LINE = 120;
const HALF_LINE = 8;
/** From the middle of a marker to where a label may begin. */
const MARKER = 24;
/** Width and height of the zoom buttons and of the credits, which are in the lower right corner. */
const CONTROLS = [
  [56, 116],
  [240, 32],
] as const;

export async function loadLabels(url: string, signal: AbortSignal): Promise<LabelData> {
  const response = await fetch(url, { signal });
  if (!response.ok) throw new Error(`${url}: HTTP status ${response.status}`);
  return (await response.json()) as LabelData;
}

/** Names in the language, English by default, if there are some, else the usual ones. */
export function labelsOf({ countries, places }: LabelData, language: string): Label[] {
  const countryNames = new Intl.DisplayNames([language || 'en', 'en'], { type: 'region' });
  return [
    ...countries.map(([code, firstZoom, spots]) => {
      const points = spots.map(([lng, lat]) => ({ lat, lng }));
      return { name: countryNames.of(code) ?? code, spots: points, firstZoom, size: undefined };
    }),
    ...places.map(([name, lng, lat, firstZoom, size, names]) => {
      return { name: names?.[language || 'en'] ?? name, spots: [{ lat, lng }], firstZoom, size };
    }),
  ];
}

/** Shows the labels whenever the map has come to rest. */
export class MapLabels {
  readonly #map: GlobeView;
  readonly #show: (labels: FeatureCollection) => void;
  #data: LabelData | undefined;
  #labels: readonly Label[] = [];
  #language = '';
  #settlements: readonly Label[] = [];
  #hits: readonly LatLng[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(map: GlobeView, show: (labels: FeatureCollection) => void) {
    this.#map = map;
    this.#show = show;
    map.on('moveend', () => this.#updateSoon());
  }

  setData(data: LabelData): void {
    this.#data = data;
    this.#labels = labelsOf(data, this.#language);
    this.#update();
  }

  /** Returns whether the language is another one. */
  setLanguage(language: string): boolean {
    if (language === this.#language) return false;
    this.#language = language;
    if (this.#data !== undefined) this.setData(this.#data);
    return true;
  }

  /** Adds settlements of close views. */
  setSettlements(settlements: readonly Settlement[]): void {
    this.#settlements = settlements.map(settlementLabel);
    this.#update();
  }

  /** Points with markers, which the names of countries avoid. */
  setHits(hits: readonly LatLng[]): void {
    this.#hits = hits;
    this.#updateSoon();
  }

  close(): void {
    clearTimeout(this.#timer);
  }

  #updateSoon(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#update(), REST_MS);
  }

  #update(): void {
    const { clientWidth: width, clientHeight: height } = this.#map.getContainer();
    const isInside = this.#isOnGlobe({ left: 0, right: width, top: 0, bottom: height });
    const zoom = this.#map.getZoom() + 1;
    const markers = this.#hits.filter((hit) => isInside || this.#isInFront(hit)).map((hit) => this.#map.project(hit));
    const shown = isInside
      ? [...this.#labels, ...this.#settlements]
      : this.#labels.filter(({ firstZoom }) => firstZoom <= zoom);
    const features = shown.flatMap((label) => {
      const [spot] = label.spots;
      if (spot === undefined) return [];
      if (label.size === undefined) return this.#placedCountry(label, markers, isInside);
      return isInside ? this.#placedInside(label, spot) : this.#placed(label, spot);
    });
    this.#show({ type: 'FeatureCollection', features });
  }

  /** At the first spot where the whole name is in view and free. */
  #placedCountry(label: Label, markers: readonly { x: number; y: number }[], isInside: boolean): Feature[] {
    const width = label.name.length * (isInside ? COUNTRY_LETTER : LETTER);
    const [halfWidth, halfHeight] = [Math.min(width, COUNTRY_LINE) / 2, HALF_LINE * Math.ceil(width / COUNTRY_LINE)];
    const spot = label.spots.find((candidate) => {
      const { x, y } = this.#map.project(candidate);
      const box = { left: x - halfWidth, right: x + halfWidth, top: y - halfHeight, bottom: y + halfHeight };
      if (!this.#isClear(box) || markers.some((marker) => isUnderMarker(box, marker))) return false;
      return isInside || (this.#isInFront(candidate) && this.#isOnGlobe(box));
    });
    return spot === undefined ? [] : [featureOf(label, spot, 'center')];
  }

  /** On the side of its place where the label is not cut off. Those out of view stay: the map may be moved to them. */
  #placedInside(label: Label, spot: LatLng): Feature[] {
    const { clientWidth, clientHeight } = this.#map.getContainer();
    const { x, y } = this.#map.project(spot);
    const width = label.name.length * LETTER;
    const isOutside = x > clientWidth || x + width < 0 || y > clientHeight + HALF_LINE || y < -HALF_LINE;
    const isClear = (left: number) =>
      this.#isClear({ left, right: left + width, top: y - HALF_LINE, bottom: y + HALF_LINE });
    if (isOutside || isClear(x)) return [featureOf(label, spot, 'left')];
    return isClear(x - width) ? [featureOf(label, spot, 'right')] : [];
  }

  /** On the side of its place where the label is on the globe; empty if there is none. */
  #placed(label: Label, spot: LatLng): Feature[] {
    if (!this.#isInFront(spot)) return [];
    const { x, y } = this.#map.project(spot);
    const width = label.name.length * LETTER;
    const isFree = (left: number, right: number) =>
      this.#isOnGlobe({ left, right, top: y - HALF_LINE, bottom: y + HALF_LINE });
    if (isFree(x, x + width)) return [featureOf(label, spot, 'left')];
    return isFree(x - width, x) ? [featureOf(label, spot, 'right')] : [];
  }

  /** Whether the map shows all of it. */
  #isClear({ left, right, top, bottom }: Box): boolean {
    const { clientWidth, clientHeight } = this.#map.getContainer();
    if (left < 0 || right > clientWidth || top < 0 || bottom > clientHeight) return false;
    return CONTROLS.every(([width, height]) => right <= clientWidth - width || bottom <= clientHeight - height);
  }

  /** Whether the point is on the side of the globe that is in view. */
  #isInFront(point: LatLng): boolean {
    const { x, y } = this.#map.project(point);
    const back = this.#map.unproject([x, y]);
    return Math.abs(back.lat - point.lat) < 1 && Math.abs(((back.lng - point.lng + 540) % 360) - 180) < 1;
  }

  /** A pixel beside the globe gets the coordinates of the globe's edge. */
  #isOnGlobe({ left, right, top, bottom }: Box): boolean {
    return [left, right].every((x) =>
      [top, bottom].every((y) => {
        const there = this.#map.project(this.#map.unproject([x, y]));
        return Math.hypot(there.x - x, there.y - y) < 2;
      }),
    );
  }
}

/** A little larger than the same place of the file, whose label gives way then. */
function settlementLabel({ name, lat, lng, population = 0 }: Settlement): Label {
  const size = Math.max(0, Math.min(1, (Math.log10(Math.max(1, population)) - 3) / 4)) + 0.01;
  return { name, spots: [{ lat, lng }], firstZoom: CLOSE_NAMES_ZOOM, size };
}

function isUnderMarker({ left, right, top, bottom }: Box, { x, y }: { x: number; y: number }): boolean {
  return x > left - MARKER && x < right + MARKER && y > top - MARKER && y < bottom + MARKER;
}

/** `anchor`: the side of the text at which its place is. */
function featureOf({ name, firstZoom, size }: Label, { lat, lng }: LatLng, anchor: string): Feature {
  const properties = { name, firstZoom, anchor, ...(size !== undefined && { size }) };
  return { type: 'Feature', geometry: { type: 'Point', coordinates: [lng, lat] }, properties };
}
