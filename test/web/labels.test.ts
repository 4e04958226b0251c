import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FeatureCollection, Point } from 'geojson';
import { type LabelData, labelsOf, MapLabels } from '../../web/src/map/labels.ts';
import type { LatLng } from '../../web/src/map/place-map.ts';

const DEGREE = Math.PI / 180;
const CAIRO = ['Cairo', 31.25, 30.06, 1.1, 1, { de: 'Kairo' }] as const;
const DATA: LabelData = {
  countries: [
    ['EG', 2, [[29.78, 26.5]]],
    ['FR', 2, [[2.45, 46.62]]],
  ],
  places: [CAIRO, ['Pacific City', 179, 0, 0, 0.5], ['Edge City', 80, 0, 0, 0.5], ['West City', -60, 0, 0, 0.5]],
};

/** A globe seen from afar, with 0,0 in its middle. Pixels beside it get the coordinates of its edge. */
function aGlobe({ radius, zoom }: { radius: number; zoom: number }) {
  const middle = 200;
  const view = {
    on: () => view,
    getZoom: () => zoom,
    getContainer: () => ({ clientWidth: 2 * middle, clientHeight: 2 * middle }),
    project: ({ lat, lng }: { lat: number; lng: number }) => ({
      x: middle + radius * Math.cos(lat * DEGREE) * Math.sin(lng * DEGREE),
      y: middle - radius * Math.sin(lat * DEGREE),
    }),
    unproject: ([x, y]: [number, number]) => {
      const [east, north] = [(x - middle) / radius, (middle - y) / radius];
      const length = Math.max(1, Math.hypot(east, north));
      const lat = Math.asin(north / length);
      return { lat: lat / DEGREE, lng: Math.asin(Math.max(-1, Math.min(1, east / length / Math.cos(lat)))) / DEGREE };
    },
  };
  return view as unknown as ConstructorParameters<typeof MapLabels>[0];
}

/** The labels that are shown. */
function featuresOn(globe: ReturnType<typeof aGlobe>, data = DATA, hits: readonly LatLng[] = []) {
  let shown: FeatureCollection<Point> | undefined;
  const labels = new MapLabels(globe, (features) => {
    shown = features as FeatureCollection<Point>;
  });
  labels.setHits(hits);
  labels.setData(data);
  labels.close();
  return shown?.features ?? [];
}

/** Name and anchor of each label that is shown. */
function shownOn(globe: ReturnType<typeof aGlobe>): string[] {
  return featuresOn(globe).map(({ properties }) => `${properties?.name} ${properties?.anchor}`);
}

test('countries and well-known cities have names in the chosen language, other places their usual ones', () => {
  assert.deepEqual(
    labelsOf(DATA, 'de').map(({ name }) => name),
    ['Ägypten', 'Frankreich', 'Kairo', 'Pacific City', 'Edge City', 'West City'],
  );
  assert.equal(labelsOf(DATA, '')[2]?.name, 'Cairo');
});

test('without a chosen language, names are in English, the language of the page', () => {
  const data: LabelData = { countries: [], places: [['Köln', 6.95, 50.93, 4.6, 0.7, { en: 'Cologne' }]] };
  assert.deepEqual(
    ['', 'en', 'de'].map((language) => labelsOf(data, language)[0]?.name),
    ['Cologne', 'Cologne', 'Köln'],
  );
});

test('settlements of a close view get labels, before the same places of the file', () => {
  const globe = aGlobe({ radius: 2000, zoom: 8 });
  let shown: FeatureCollection<Point> | undefined;
  const labels = new MapLabels(globe, (features) => {
    shown = features as FeatureCollection<Point>;
  });
  labels.setData({ countries: [], places: [['Null City', 0, 0, 0, 0.5]] });
  labels.setSettlements([
    { name: 'Null City', population: 100_000, lat: 0, lng: 0 },
    { name: 'Nowhere', population: undefined, lat: 1, lng: 1 },
  ]);
  labels.close();
  const sizes = shown?.features.map(({ properties }) => [properties?.name, properties?.size]);
  assert.deepEqual(sizes, [
    ['Null City', 0.5],
    ['Null City', 0.51],
    ['Nowhere', 0.01],
  ]);
});

test('no label floats beside the globe, and none is of a place behind it', () => {
  assert.deepEqual(shownOn(aGlobe({ radius: 150, zoom: 2 })), [
    'Egypt center',
    'France center',
    'Cairo left',
    'Edge City right',
    'West City left',
  ]);
});

test('a label that has no room at the zoom is not placed', () => {
  assert.deepEqual(shownOn(aGlobe({ radius: 150, zoom: 0 })), ['Edge City right', 'West City left']);
});

test('if the map shows nothing beside the globe, all places are kept', () => {
  assert.equal(shownOn(aGlobe({ radius: 2000, zoom: 5 })).length, DATA.places.length);
});

test('the name of a country is at its first spot that is in view and under no marker', () => {
  const spots = [
    [23, -3],
    [23, 20],
    [-10, 5],
  ] as const;
  const data: LabelData = { countries: [['CD', 2, spots]], places: [] };
  const spotOf = (radius: number, hits: readonly LatLng[]) =>
    featuresOn(aGlobe({ radius, zoom: 2 }), data, hits).map(({ geometry }) => geometry.coordinates);
  assert.deepEqual(spotOf(150, []), [[23, -3]]);
  assert.deepEqual(spotOf(150, [{ lat: -4, lng: 25 }]), [[23, 20]]);
  assert.deepEqual(
    spotOf(150, [
      { lat: -4, lng: 25 },
      { lat: 21, lng: 22 },
    ]),
    [[-10, 5]],
  );
  assert.deepEqual(spotOf(600, []), [[-10, 5]], 'the others are outside the view');
  assert.deepEqual(
    spotOf(
      150,
      spots.map(([lng, lat]) => ({ lat, lng })),
    ),
    [],
    'there is no room',
  );
});
