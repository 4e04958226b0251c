/**
 * The data and colours of the map's layers. The style is missing until it is loaded, and again while
 * the browser has taken the WebGL context away. So the newest data is kept, and set when the context is there.
 */
import type { Feature, FeatureCollection, GeoJSON } from 'geojson';
import type { GeoJSONSource, Map as MapLibre } from 'maplibre-gl';
import type { LatLng } from './place-map.ts';
import { DOT_IMAGE, mapLayers } from './style.ts';

const DOT_PIXELS = 12;

export class LayerData {
  readonly #map: MapLibre;
  readonly #darkScheme: MediaQueryList;
  readonly #data = new Map<string, GeoJSON>();
  #hasStyle = false;

  constructor(map: MapLibre, darkScheme: MediaQueryList) {
    this.#map = map;
    this.#darkScheme = darkScheme;
    map.on('style.load', () => this.#restore());
    map.on('webglcontextlost', () => {
      this.#hasStyle = false;
    });
    darkScheme.addEventListener('change', this.#paint);
  }

  set(source: string, data: GeoJSON): void {
    this.#data.set(source, data);
    if (this.#hasStyle) this.#map.getSource<GeoJSONSource>(source)?.setData(data);
  }

  close(): void {
    this.#darkScheme.removeEventListener('change', this.#paint);
  }

  #restore(): void {
    this.#hasStyle = true;
    if (!this.#map.hasImage(DOT_IMAGE)) this.#map.addImage(DOT_IMAGE, dotImage(), { sdf: true, pixelRatio: 2 });
    this.#paint();
    for (const [source, data] of this.#data) this.set(source, data);
  }

  readonly #paint = (): void => {
    if (!this.#hasStyle) return;
    const accent = getComputedStyle(this.#map.getContainer()).getPropertyValue('--map-accent');
    for (const { id, paint = {} } of mapLayers(this.#darkScheme.matches, accent)) {
      for (const name of Object.keys(paint) as (keyof typeof paint)[])
        this.#map.setPaintProperty(id, name, paint[name]);
    }
  };
}

export function pointFeatures<Point extends LatLng>(
  points: readonly Point[],
  propertiesOf: (point: Point) => Record<string, unknown> = () => ({}),
): FeatureCollection {
  const features = points.map((point): Feature => {
    const geometry = { type: 'Point' as const, coordinates: [point.lng, point.lat] };
    return { type: 'Feature', geometry, properties: propertiesOf(point) };
  });
  return { type: 'FeatureCollection', features };
}

/** A white disc, whose colour the layer sets. */
function dotImage(): { width: number; height: number; data: Uint8ClampedArray } {
  const data = new Uint8ClampedArray(4 * DOT_PIXELS ** 2).fill(255);
  const middle = (DOT_PIXELS - 1) / 2;
  for (let i = 0; i < DOT_PIXELS ** 2; i++) {
    const distance = Math.hypot((i % DOT_PIXELS) - middle, Math.floor(i / DOT_PIXELS) - middle);
    // a signed distance field: 192 at the edge
    data[4 * i + 3] = 192 + 32 * (DOT_PIXELS / 2 - 2 - distance);
  }
  return { width: DOT_PIXELS, height: DOT_PIXELS, data };
}
