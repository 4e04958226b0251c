/**
 * The names of countries and places on the map. They come from one file of the page, so they cost no calls of
 * the API. A label on the edge of the globe would float beside it: such labels are left out.
 */
import type { Feature, FeatureCollection } from 'geojson';
import type { Map as MapLibre } from 'maplibre-gl';

/** As web/labels.js writes them. */
export interface LabelData {
  readonly countries: readonly (readonly [code: string, lng: number, lat: number, firstZoom: number])[];
  readonly places: readonly PlaceRow[];
}

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
  readonly lng: number;
  readonly lat: number;
  readonly firstZoom: number;
  /** From 0 to 1; undefined for a country. */
  readonly size: number | undefined;
}

type GlobeView = Pick<MapLibre, 'project' | 'unproject' | 'getContainer' | 'getZoom' | 'on'>;

const REST_MS = 200;
/** About the width of a letter, and half the height of a line, in pixels. */
const LETTER = 8;
const HALF_LINE = 8;
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

/** Names in the language if there are some, else the usual ones. */
export function labelsOf({ countries, places }: LabelData, language: string): Label[] {
  const countryNames = new Intl.DisplayNames([language || 'en', 'en'], { type: 'region' });
  return [
    ...countries.map(([code, lng, lat, firstZoom]) => {
      return { name: countryNames.of(code) ?? code, lng, lat, firstZoom, size: undefined };
    }),
    ...places.map(([name, lng, lat, firstZoom, size, names]) => {
      return { name: names?.[language] ?? name, lng, lat, firstZoom, size };
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
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(map: GlobeView, show: (labels: FeatureCollection) => void) {
    this.#map = map;
    this.#show = show;
    map.on('moveend', () => {
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.#update(), REST_MS);
    });
  }

  setData(data: LabelData): void {
    this.#data = data;
    this.#labels = labelsOf(data, this.#language);
    this.#update();
  }

  setLanguage(language: string): void {
    if (language === this.#language) return;
    this.#language = language;
    if (this.#data !== undefined) this.setData(this.#data);
  }

  close(): void {
    clearTimeout(this.#timer);
  }

  #update(): void {
    const { clientWidth: width, clientHeight: height } = this.#map.getContainer();
    const corners: readonly (readonly [number, number])[] = [
      [0, 0],
      [width, 0],
      [0, height],
      [width, height],
    ];
    const isInside = corners.every(([x, y]) => this.#isOnGlobe(x, y));
    const zoom = this.#map.getZoom() + 1;
    const features = isInside
      ? this.#labels.filter((label) => !this.#isUnderControls(label)).map((label) => featureOf(label, 'left'))
      : this.#labels.filter(({ firstZoom }) => firstZoom <= zoom).flatMap((label) => this.#placed(label));
    this.#show({ type: 'FeatureCollection', features });
  }

  #isUnderControls(label: Label): boolean {
    const { clientWidth, clientHeight } = this.#map.getContainer();
    const { x, y } = this.#map.project(label);
    const right = x + (label.name.length * LETTER) / (label.size === undefined ? 2 : 1);
    return CONTROLS.some(
      ([width, height]) => x < clientWidth && right > clientWidth - width && y + HALF_LINE > clientHeight - height,
    );
  }

  /** On the side of its place where the label is on the globe; empty if there is none. */
  #placed(label: Label): Feature[] {
    const { x, y } = this.#map.project(label);
    const back = this.#map.unproject([x, y]);
    const isVisible = Math.abs(back.lat - label.lat) < 1 && Math.abs(((back.lng - label.lng + 540) % 360) - 180) < 1;
    if (!isVisible) return [];
    const width = label.name.length * LETTER;
    const isFree = (from: number, to: number) =>
      [y - HALF_LINE, y + HALF_LINE].every((row) => this.#isOnGlobe(from, row) && this.#isOnGlobe(to, row));
    if (label.size === undefined) return isFree(x - width / 2, x + width / 2) ? [featureOf(label, 'center')] : [];
    if (isFree(x, x + width)) return [featureOf(label, 'left')];
    return isFree(x - width, x) ? [featureOf(label, 'right')] : [];
  }

  /** A pixel beside the globe gets the coordinates of the globe's edge. */
  #isOnGlobe(x: number, y: number): boolean {
    const there = this.#map.project(this.#map.unproject([x, y]));
    return Math.hypot(there.x - x, there.y - y) < 2;
  }
}

/** `anchor`: the side of the text at which its place is. */
function featureOf({ name, lng, lat, firstZoom, size }: Label, anchor: string): Feature {
  const properties = { name, firstZoom, anchor, ...(size !== undefined && { size }) };
  return { type: 'Feature', geometry: { type: 'Point', coordinates: [lng, lat] }, properties };
}
