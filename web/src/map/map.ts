/**
 * The page's map: a globe with the hits of a search, the point of preference, and a radius. It draws
 * its own data of the world and of the names on it.
 */
import { GPUInitializationError, type LngLat, Map as MapLibre, setWorkerUrl } from 'maplibre-gl';
import { boundsOf, zoomToFit } from './bounds.ts';
import { circleFeatures } from './circle.ts';
import { CloseNames } from './close-names.ts';
import { HitMarkers } from './hit-markers.ts';
import { loadLabels, MapLabels } from './labels.ts';
import { LayerData, pointFeatures } from './layer-data.ts';
import { createFrame } from './map-frame.ts';
import type { LatLng, MapHit, MapOptions, PlaceMap } from './place-map.ts';
import { PointMarker } from './point-marker.ts';
import { mapStyle } from './style.ts';
import { loadWorld } from './world.ts';

export type * from './place-map.ts';

export class NoWebGl extends Error {}

/** Closer, coasts would be off by more than a few pixels. */
const MAX_ZOOM = 9;
/** The world as the globe shows it has visible corners from here on. */
const CLOSE_ZOOM = 5;
const FIT_PADDING = 56;
/** Hits further apart are not well visible on one side of the globe. */
const MAX_FIT_DEGREES = 120;
const START: LatLng = { lat: 25, lng: 10 };
const RETRY_MS = 10_000;
const FLIGHT_MS = 1_200;
const MAP_NAME = 'Map: arrow keys move it, plus and minus zoom, Enter looks up the centre';
const CONTEXT_LOST = 'The browser has stopped drawing the map. It continues when the graphics card is free.';

/** Throws NoWebGl if the browser cannot draw the map. */
export function createMap(container: HTMLElement, options: MapOptions): PlaceMap {
  setWorkerUrl(options.workerUrl);
  const darkScheme = matchMedia('(prefers-color-scheme: dark)');
  const map = createMapLibre(container, darkScheme.matches);
  const closing = new AbortController();
  const layers = new LayerData(map, darkScheme);
  const frame = createFrame(map);
  const labels = new MapLabels(map, (features) => layers.set('labels', features));
  const closeNames = new CloseNames(map, options.findSettlements, (places) => labels.setSettlements(places));
  const hitMarkers = new HitMarkers(map, options.onHitClick);
  const pointMarker = new PointMarker(map, options.onPointMoved);
  const moveToHits = createHitCamera(map);

  reportClicks(map, options.onClick);
  reportMoves(map, options.onMoved);
  reportFailure(map, options.onFailed);
  map.on('webglcontextlost', () => frame.setNotice(CONTEXT_LOST));
  map.on('webglcontextrestored', () => frame.setNotice(''));
  const { signal } = closing;
  const isWorldLoaded = loadWorlds(map, options, { layers, signal });
  void untilLoaded(signal, async () => labels.setData(await loadLabels(options.labelsUrl, signal)));
  markWhenDrawn(map, isWorldLoaded);

  return {
    showHits: (hits, selectedId, around) => {
      hitMarkers.show(hits, selectedId);
      labels.setHits(hits);
      layers.set(
        'hits',
        pointFeatures(hits, ({ id, label }) => ({ label: id === selectedId ? label : '' })),
      );
      moveToHits(hits, selectedId, around);
    },
    showPoint: (point, name) => pointMarker.show(point, name),
    showRadius: (center, radiusMeters) => {
      const features = center && radiusMeters ? circleFeatures(center, radiusMeters) : [];
      layers.set('radius', { type: 'FeatureCollection', features });
    },
    setLanguage: (language) => {
      if (labels.setLanguage(language)) closeNames.reset();
    },
    get center() {
      return toLatLng(map.getCenter());
    },
    close: () => {
      closing.abort();
      labels.close();
      closeNames.close();
      layers.close();
      frame.remove();
      map.remove();
    },
  };
}

function createMapLibre(container: HTMLElement, isDark: boolean): MapLibre {
  try {
    const map = new MapLibre({
      container,
      style: mapStyle(isDark, 'black'), // LayerData sets the page's accent
      locale: { 'Map.Title': MAP_NAME },
      center: START,
      zoom: globeZoom(container, START.lat, Math.max),
      maxZoom: MAX_ZOOM,
      maxPitch: 0,
      dragRotate: false,
      attributionControl: false,
      canvasContextAttributes: { antialias: true },
    });
    map.touchZoomRotate.disableRotation();
    map.keyboard.disableRotation();
    return map;
  } catch (error) {
    if (error instanceof GPUInitializationError) throw new NoWebGl('The browser has no WebGL 2.', { cause: error });
    throw error;
  }
}

/**
 * The zoom at which the globe fills the longer side of the map (`Math.max`), or all of it is visible
 * (`Math.min`). Seen from `distance` pixels, at MapLibre's angle of view, its outline is smaller than the globe.
 */
function globeZoom({ clientWidth, clientHeight }: HTMLElement, lat: number, sizeOf: typeof Math.max): number {
  const outline = Math.max(100, sizeOf(clientWidth, clientHeight) / 2);
  const distance = 1.5 * Math.max(100, clientHeight);
  const excess = outline ** 2 / distance;
  const radius = excess + Math.hypot(excess, outline);
  return Math.log2(((2 * Math.PI * radius) / 512) * Math.cos((lat * Math.PI) / 180));
}

/** Moves the map to a newly selected hit, or to all hits if they are new. */
function createHitCamera(map: MapLibre): PlaceMap['showHits'] {
  let shownIds = '';
  let shownSelectedId: string | undefined;
  return (hits, selectedId, around) => {
    const ids = hits.map(({ id }) => id).join(' ');
    const selected = hits.find(({ id }) => id === selectedId);
    if (selected !== undefined && selectedId !== shownSelectedId) {
      fit(map, cornersOf(selected));
    } else if (ids !== shownIds && selected === undefined) {
      fit(map, around === undefined ? hits : [around, ...hits]);
    }
    shownIds = ids;
    shownSelectedId = selectedId;
  };
}

/** The corners of a place's box, or the place itself if it has none. */
function cornersOf(hit: MapHit): readonly LatLng[] {
  if (hit.bbox === undefined) return [hit];
  const [west, south, east, north] = hit.bbox;
  return [
    { lat: south, lng: west },
    { lat: north, lng: east },
  ];
}

/** Shows the points, or, if they are too far apart, the globe around the first one. */
function fit(map: MapLibre, points: readonly LatLng[]): void {
  const [best] = points;
  if (best === undefined) return;
  const container = map.getContainer();
  const bounds = boundsOf(points);
  if (bounds.east - bounds.west > MAX_FIT_DEGREES) {
    map.flyTo({ center: best, zoom: globeZoom(container, best.lat, Math.max), duration: FLIGHT_MS });
    return;
  }
  const center = { lat: (bounds.south + bounds.north) / 2, lng: (bounds.west + bounds.east) / 2 };
  const [width, height] = [container.clientWidth - 2 * FIT_PADDING, container.clientHeight - 2 * FIT_PADDING];
  const zoom = Math.min(zoomToFit(bounds, Math.max(1, width), Math.max(1, height)), MAX_ZOOM);
  // a box that covers the globe needs no smaller globe
  map.flyTo({ center, zoom: Math.max(zoom, globeZoom(container, center.lat, Math.min)), duration: FLIGHT_MS });
}

function reportClicks(map: MapLibre, onClick: MapOptions['onClick']): void {
  map.on('click', ({ lngLat, point }) => {
    // a click beside the globe gets the coordinates of its edge
    if (map.project(lngLat).dist(point) < 2) onClick(toLatLng(lngLat));
  });
  map.getCanvas().addEventListener('keydown', ({ key }) => {
    if (key === 'Enter') onClick(toLatLng(map.getCenter()));
  });
}

function reportMoves(map: MapLibre, onMoved: MapOptions['onMoved']): void {
  map.on('moveend', ({ originalEvent }) => {
    if (originalEvent !== undefined) onMoved(toLatLng(map.getCenter()), map.getZoom());
  });
}

/** MapLibre reports a worker that does not start as an error. Later errors leave a map that works. */
function reportFailure(map: MapLibre, onFailed: MapOptions['onFailed']): void {
  map.once('error', onFailed);
  map.once('load', () => map.off('error', onFailed));
}

/** Tries again until the data is there or the map is closed. */
async function untilLoaded(signal: AbortSignal, load: () => Promise<void>): Promise<void> {
  try {
    await load();
  } catch {
    if (signal.aborted) return;
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    if (!signal.aborted) await untilLoaded(signal, load);
  }
}

/** Loads the world, and finer data for close views once they are wanted. Returns whether all wanted data is there. */
function loadWorlds(
  map: MapLibre,
  { worldUrl, closeWorldUrl }: Pick<MapOptions, 'worldUrl' | 'closeWorldUrl'>,
  { layers, signal }: { layers: LayerData; signal: AbortSignal },
): () => boolean {
  let isLoaded = false;
  const show = async (url: string) => {
    isLoaded = false;
    await untilLoaded(signal, async () => {
      for (const [name, data] of Object.entries(await loadWorld(url, signal))) layers.set(name, data);
    });
    if (signal.aborted) return;
    isLoaded = true;
    map.triggerRepaint();
  };
  const world = show(worldUrl);
  const onZoom = () => {
    if (map.getZoom() < CLOSE_ZOOM) return;
    map.off('zoom', onZoom);
    void world.then(() => show(closeWorldUrl));
  };
  map.on('zoom', onZoom);
  return () => isLoaded;
}

/** The container has `data-map="drawn"` while all of the view is drawn, for tests. */
function markWhenDrawn(map: MapLibre, isWorldLoaded: () => boolean): void {
  const { dataset } = map.getContainer();
  const isChanging = () => {
    dataset.map = 'drawing';
  };
  isChanging();
  map.on('movestart', isChanging);
  map.on('dataloading', isChanging);
  map.on('webglcontextlost', isChanging);
  map.on('idle', () => {
    if (isWorldLoaded()) dataset.map = 'drawn';
  });
}

function toLatLng(point: LngLat): LatLng {
  const { lat, lng } = point.wrap();
  return { lat, lng };
}
