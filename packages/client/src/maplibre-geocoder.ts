/** The export `toponym-client/maplibre-geocoder`: a geocoder API for `@maplibre/maplibre-gl-geocoder`. */
import type { Hit, PlaceType } from './api-types.ts';
import type { Client } from './client.ts';
import { createWidgetSearch, type WidgetOptions } from './widget-search.ts';

/** Declared as text by the widget, which passes lists of `countries`, `types` and `language`. */
interface GeocoderConfig {
  readonly query?: string | number[];
  readonly limit?: number;
  readonly countries?: string;
  readonly types?: string;
  readonly language?: string;
  readonly bbox?: number[];
  readonly proximity?: number[];
}

export function createGeocoderApi(client: Client, options?: WidgetOptions) {
  const search = createWidgetSearch(client, { debounceMs: 0, ...options }); // the widget debounces
  return {
    forwardGeocode: async ({ query, bbox, proximity, ...config }: GeocoderConfig) => {
      const [west, south, east, north] = bbox ?? [];
      const [lng, lat] = proximity ?? [];
      const result = await search(String(query ?? ''), {
        ...optionsOf(config),
        countries: config.countries,
        insideBoundingBox: bbox && `${south},${west},${north},${east}`,
        aroundLatLng: proximity && `${lat},${lng}`,
      });
      return featuresOf(result?.hits ?? []);
    },
    reverseGeocode: async ({ query, ...config }: GeocoderConfig) => {
      const [lng = 0, lat = 0] = (query ?? []) as number[];
      const { hits } = await client.reverse({ lat, lng }, { mode: 'containing', ...optionsOf(config) });
      return featuresOf(hits);
    },
  };
}

function optionsOf({ limit, types, language }: GeocoderConfig) {
  return { hitsPerPage: limit, type: types as PlaceType | undefined, language };
}

function featuresOf(hits: readonly Hit[]) {
  const features = hits.map(
    ({ objectID, name, label, type, bbox: [west, south, east, north], _geoloc: { lat, lng } }) => ({
      type: 'Feature' as const,
      id: objectID,
      geometry: { type: 'Point' as const, coordinates: [lng, lat] },
      properties: {},
      text: name,
      place_name: label,
      place_type: [type],
      center: [lng, lat] as [number, number],
      // the map wants east to exceed west, also across the antimeridian
      bbox: [west, south, east < west ? east + 360 : east, north] as [number, number, number, number],
    }),
  );
  return { type: 'FeatureCollection' as const, features };
}
