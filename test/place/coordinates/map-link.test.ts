import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseCoordinates } from '../../../src/place/coordinates/coordinate-text.ts';

const EIFFEL_TOWER = { lat: 48.8584, lng: 2.2945 };

const LINKS: Record<string, readonly string[]> = {
  'the centre of Google Maps': [
    'https://www.google.com/maps/@48.8584,2.2945,15z',
    'https://www.google.com/maps/@48.8584,2.2945,15z?entry=ttu',
    'https://www.google.com/maps/@48.8584,2.2945,3a,75y,90t/data=!3m6',
    'https://www.google.com/maps/@48.8584,2.2945,1000m/data=!3m1!1e3',
    'https://www.google.com/maps/@?api=1&map_action=map&center=48.8584,2.2945&zoom=12',
    'https://www.google.com/maps/place/Tour+Eiffel/@48.8584,2.2945,17z',
    'https://maps.google.com/maps?ll=48.8584,2.2945&spn=0.01,0.02&z=14',
    'https://earth.google.com/web/@48.8584,2.2945,34.9a,1000d,35y,0h,0t,0r',
    'google.com/maps/@48.8584,2.2945,15z',
    '<https://www.google.de/maps/@48.8584,2.2945,15z>',
  ],
  'a place on Google Maps, not the centre': [
    'https://www.google.com/maps/place/Tour+Eiffel/@48.85,2.29,17z/data=!3m1!4b1!4m6!3m5!1s0x47e6:0x8ddc!8m2!3d48.8584!4d2.2945!16z',
    "https://www.google.com/maps/place/48%C2%B051'30.2%22N+2%C2%B017'40.2%22E/@48.8,2.2,17z/data=!8m2!3d48.8584!4d2.2945",
    'https://www.google.com/maps/place/48°51\'30.24"N+2°17\'40.2"E/@48.8,2.2,17z',
    'https://www.google.com/maps/place/48.8584,2.2945/@48.8,2.2,17z',
    'https://www.google.com/maps/search/48.8584,+2.2945',
    'https://www.google.com/maps/search/?api=1&query=48.8584%2C2.2945',
    'https://maps.google.com/?q=48.8584,2.2945',
    'https://maps.google.com/maps?q=loc:48.8584,2.2945&ll=48.8,2.2',
    'https://maps.google.com/maps?q=48.8584,2.2945+(Tour+Eiffel)',
    'https://www.google.com/maps/embed?pb=!1m18!1m12!1m3!1d2624.99!2d2.2945!3d48.8584!2m3!1f0',
  ],
  'the end of a route': [
    'https://www.google.com/maps/dir//48.8584,2.2945/@48.8,2.2,12z',
    'https://www.google.com/maps/dir/48.1,2.1/48.8584,2.2945/',
    'https://www.google.com/maps/dir/?api=1&origin=48.1,2.1&destination=48.8584,2.2945',
    'https://www.google.com/maps/dir/A/B/@48.8,2.2,12z/data=!2m2!1d2.1!2d48.1!1m5!2m2!1d2.2945!2d48.8584',
    'https://maps.google.com/?saddr=48.1,2.1&daddr=48.8584,2.2945',
  ],
  OpenStreetMap: [
    'https://www.openstreetmap.org/#map=15/48.8584/2.2945',
    'https://www.openstreetmap.org/#map=15/48.8584/2.2945&layers=T',
    'https://www.openstreetmap.org/node/123456789#map=15/48.8584/2.2945',
    'https://www.openstreetmap.org/?mlat=48.8584&mlon=2.2945#map=15/48.1/2.1',
    'https://www.openstreetmap.org/?lat=48.8584&lon=2.2945&zoom=15',
    'https://www.openstreetmap.org/search?query=48.8584%2C2.2945#map=15/48.1/2.1',
    'https://umap.openstreetmap.fr/en/map/tour_1#15/48.8584/2.2945',
    'osm.org/#map=15/48.8584/2.2945',
  ],
  'other maps': [
    'https://maps.apple.com/?ll=48.8584,2.2945&q=Eiffel%20Tower',
    'https://maps.apple.com/?q=48.8584,2.2945',
    'https://maps.apple.com/place?address=Paris&coordinate=48.8584,2.2945&name=Eiffel',
    'https://maps.apple.com/frame?center=48.8584%2C2.2945&span=0.01%2C0.02',
    'https://www.bing.com/maps?cp=48.8584~2.2945&lvl=15',
    'https://bing.com/maps/default.aspx?sp=point.48.8584_2.2945_Eiffel%20Tower',
    'https://waze.com/ul?ll=48.8584,2.2945&navigate=yes',
    'https://www.waze.com/live-map/directions?to=ll.48.8584%2C2.2945',
    'https://wego.here.com/?map=48.8584,2.2945,15,normal',
    'https://share.here.com/l/48.8584,2.2945',
    'https://geohack.toolforge.org/geohack.php?pagename=Eiffel_Tower&params=48.8584_N_2.2945_E_type:landmark',
    'https://geohack.toolforge.org/geohack.php?params=48_51_30.24_N_2_17_40.2_E_region:FR',
    'https://www.windy.com/?48.8584,2.2945,8',
    'https://www.flightradar24.com/48.8584,2.2945/8',
    'https://zoom.earth/#view=48.8584,2.2945,8z',
  ],
  'maps that write longitude first': [
    'https://yandex.ru/maps/?ll=2.2945%2C48.8584&z=15',
    'https://yandex.com/maps/?ll=2.1,48.1&pt=2.2945,48.8584&z=15',
    'https://yandex.ru/maps/213/moscow/?ll=2.1%2C48.1&mode=whatshere&whatshere%5Bpoint%5D=2.2945%2C48.8584',
    'https://yandex.com/maps/?ll=2.1,48.1&text=48.8584,2.2945',
    'https://2gis.ru/geo/2.2945,48.8584',
    'https://2gis.ru/moscow?m=2.2945%2C48.8584%2F15',
    'https://mapy.cz/zakladni?x=2.2945&y=48.8584&z=15',
  ],
  'a link after text': [
    'Eiffel Tower https://maps.google.com/?q=48.8584,2.2945',
    'Dropped pin\nhttps://www.google.com/maps/@48.8584,2.2945,15z',
  ],
  'links to programs': [
    'geo:0,0?q=48.8584,2.2945',
    'geo:0,0?q=48.8584,2.2945(Eiffel+Tower)',
    'geo:48.8,2.2?q=48.8584,2.2945(Eiffel%20Tower)',
    'maps://?ll=48.8584,2.2945',
    'waze://?ll=48.8584,2.2945',
    'comgooglemaps://?center=48.8584,2.2945&zoom=14',
    'google.navigation:q=48.8584,2.2945',
  ],
  'ends of links': [
    '@48.8584,2.2945,15z',
    '@48.8584,2.2945',
    '/@48.8584,2.2945,15z',
    '48.8584,2.2945,15z',
    '#map=15/48.8584/2.2945',
    '#15/48.8584/2.2945',
    'map=15/48.8584/2.2945',
    '15/48.8584/2.2945',
    '?q=48.8584,2.2945',
    '?mlat=48.8584&mlon=2.2945',
  ],
};

for (const [form, links] of Object.entries(LINKS)) {
  test(`reads ${form}`, () => {
    for (const link of links) assert.deepEqual(parseCoordinates(link), [EIFFEL_TOWER], link);
  });
}

test('reads whole degrees and minus in links', () => {
  assert.deepEqual(parseCoordinates('https://www.google.com/maps/@-33,151,5z'), [{ lat: -33, lng: 151 }]);
  assert.deepEqual(parseCoordinates('https://www.openstreetmap.org/#map=2/0/-20'), [{ lat: 0, lng: -20 }]);
  assert.deepEqual(parseCoordinates('https://maps.google.com/?q=-33,151'), [{ lat: -33, lng: 151 }]);
  assert.deepEqual(parseCoordinates('https://www.bing.com/maps?cp=-33.5~-70.25'), [{ lat: -33.5, lng: -70.25 }]);
});

test('links without a point, or with one out of range, are none', () => {
  const links = [
    'https://www.google.com/maps/place/Paris/data=!4m2!3m1!1s0x47e66e1f06e2b70f:0x40b82c3688c9460',
    'https://maps.app.goo.gl/1a2b3c4d',
    'https://www.openstreetmap.org/relation/7444/history/12',
    'https://example.com/2026/11/17',
    'https://example.com/?bbox=2.2,48.8,2.4,48.9',
    'https://example.com/?span=0.01,0.02',
    'https://www.google.com/maps/@98.8584,2.2945,15z',
    'https://www.openstreetmap.org/#map=15/48.8584/182.2945',
    'https://maps.google.com/?q=148.8584,2.2945',
    'https://maps.google.com/?q=48.8584.1,2.2945',
    'geo:0,0?q=paris+12+13',
    '#3/4/5',
    '@48,2',
    '/12/13',
    '17/11/2026',
    '1/2/3',
    '1.5/2/3.5',
  ];
  for (const link of links) assert.deepEqual(parseCoordinates(link), [], link);
});
