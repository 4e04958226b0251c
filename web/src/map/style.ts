/** The map's layers, in a light and a dark palette. The accent is the page's. */
import type { FeatureCollection } from 'geojson';
import type { LayerSpecification, StyleSpecification } from 'maplibre-gl';

interface Palette {
  readonly water: string;
  readonly land: string;
  readonly border: string;
  readonly river: string;
  readonly text: string;
  readonly country: string;
}

export const LIGHT: Palette = {
  water: '#c8d8e3',
  land: '#e8e2d2',
  border: '#c9c2b6',
  river: '#b4c9d7',
  text: '#3d4248',
  country: '#6b6558',
};
export const DARK: Palette = {
  water: '#16202a',
  land: '#2a323b',
  border: '#4a545f',
  river: '#1c2833',
  text: '#c8d0d8',
  country: '#96a2ae',
};

export const RADIUS_OPACITY = 0.12;
/** The image of a place with a label. It is also drawn, invisible, where hits need space. */
export const DOT_IMAGE = 'dot';
const WORLD = ['land', 'borders', 'lakes', 'rivers'];
const SOURCES = [...WORLD, 'radius', 'labels', 'hits'];

/** The world has too few points to need tiles of higher zooms. */
const COARSE = { maxzoom: 7 };
const EXACT = { maxzoom: 14, tolerance: 0 };

/** The sources are empty until the map gets its data. */
export function mapStyle(isDark: boolean, accent: string): StyleSpecification {
  const empty: FeatureCollection = { type: 'FeatureCollection', features: [] };
  return {
    version: 8,
    projection: { type: 'globe' },
    sources: Object.fromEntries(
      SOURCES.map((name) => [name, { type: 'geojson', data: empty, ...(WORLD.includes(name) ? COARSE : EXACT) }]),
    ),
    layers: mapLayers(isDark, accent),
  };
}

export function mapLayers(isDark: boolean, accent: string): LayerSpecification[] {
  const { water, land, border, river } = isDark ? DARK : LIGHT;
  return [
    { id: 'water', type: 'background', paint: { 'background-color': water } },
    { id: 'land', type: 'fill', source: 'land', paint: { 'fill-color': land } },
    {
      id: 'rivers',
      type: 'line',
      source: 'rivers',
      minzoom: 2,
      paint: { 'line-color': river, 'line-width': ['interpolate', ['linear'], ['zoom'], 2, 0.4, 8, 2] },
    },
    { id: 'lakes', type: 'fill', source: 'lakes', paint: { 'fill-color': water } },
    {
      id: 'borders',
      type: 'line',
      source: 'borders',
      paint: { 'line-color': border, 'line-width': ['interpolate', ['linear'], ['zoom'], 1, 0.5, 6, 1.2] },
    },
    {
      id: 'radius-area',
      type: 'fill',
      source: 'radius',
      filter: ['==', ['geometry-type'], 'Polygon'],
      paint: { 'fill-color': accent, 'fill-opacity': RADIUS_OPACITY, 'fill-antialias': false },
    },
    {
      id: 'radius-line',
      type: 'line',
      source: 'radius',
      filter: ['==', ['geometry-type'], 'LineString'],
      paint: { 'line-color': accent, 'line-width': 1.5 },
    },
    ...nameLayers(isDark ? DARK : LIGHT),
  ];
}

/** Names give way to those of the layers after theirs. */
function nameLayers({ land, text, country }: Palette): LayerSpecification[] {
  return [
    {
      id: 'labels',
      type: 'symbol',
      source: 'labels',
      filter: ['all', ['has', 'size'], ['<=', ['get', 'firstZoom'], ['zoom']]],
      layout: {
        'icon-image': DOT_IMAGE,
        'icon-size': ['interpolate', ['linear'], ['get', 'size'], 0, 0.6, 1, 1],
        'text-field': ['get', 'name'],
        'text-font': ['system-ui', 'sans-serif'],
        'text-size': ['interpolate', ['linear'], ['get', 'size'], 0, 11, 1, 14],
        'text-anchor': ['get', 'anchor'],
        'text-offset': ['match', ['get', 'anchor'], 'left', ['literal', [0.5, 0]], ['literal', [-0.5, 0]]],
        'text-padding': 6,
        'text-max-width': 30,
        'symbol-sort-key': ['-', ['get', 'size']],
      },
      paint: {
        'icon-color': text,
        'text-color': text,
        'text-halo-color': land,
        'text-halo-width': 1.2,
      },
    },
    {
      id: 'countries',
      type: 'symbol',
      source: 'labels',
      maxzoom: 7.5,
      filter: ['all', ['!', ['has', 'size']], ['<=', ['get', 'firstZoom'], ['zoom']]],
      layout: {
        'text-field': ['get', 'name'],
        'text-font': ['system-ui', 'sans-serif'],
        'text-size': ['interpolate', ['linear'], ['zoom'], 1, 10.5, 6, 15],
        'text-transform': 'uppercase',
        'text-letter-spacing': 0.12,
        'text-padding': 8,
        'text-max-width': 9,
        'symbol-sort-key': ['get', 'firstZoom'],
      },
      paint: { 'text-color': country, 'text-halo-color': land, 'text-halo-width': 1.4 },
    },
    {
      // above the labels, so that they make room for the markers and the name of the selected one
      id: 'hits',
      type: 'symbol',
      source: 'hits',
      layout: {
        'icon-image': DOT_IMAGE,
        'icon-padding': 12,
        'icon-allow-overlap': true,
        'text-field': ['get', 'label'],
        'text-font': ['system-ui', 'sans-serif'],
        'text-size': 14,
        'text-anchor': 'top',
        'text-offset': [0, 1.6],
        'text-max-width': 16,
        'text-allow-overlap': true,
      },
      paint: { 'icon-opacity': 0, 'text-opacity': 0 },
    },
  ];
}
