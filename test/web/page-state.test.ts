import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatState, type PageState, parseState, searchRequest } from '../../web/src/page-state.ts';

const EMPTY = parseState('');
const FULL: PageState = {
  text: 'san & "co"',
  types: ['city', 'suburban area'],
  countries: ['us', 'mx'],
  language: 'zh-TW',
  near: { lat: 33.6, lng: -95.5 },
  radiusMeters: 25_000,
  placeId: 'G5392171',
  point: { lat: -16.8, lng: 179.99 },
};

test('the URL has the whole state of the page', () => {
  assert.deepEqual(parseState(formatState(FULL, undefined)), FULL);
  assert.equal(formatState(EMPTY, undefined), '');
});

test('a URL that someone has edited opens with what is valid in it', () => {
  const state = parseState('?q=par&type=city,castle&countries=FRA,fr&near=91,0&radius=-5&at=x&lang=de_DE');
  assert.deepEqual(state, { ...EMPTY, text: 'par', types: ['city'], countries: ['fr'] });
});

test("the URL has the point of the map's centre, because another screen has another centre", () => {
  assert.equal(formatState({ ...EMPTY, near: 'center' }, { lat: 1.234567, lng: 2 }), '?near=1.23457,2');
  assert.equal(formatState({ ...EMPTY, near: 'center' }, undefined), '');
});

test('filters become options of the request', () => {
  assert.deepEqual(searchRequest({ ...FULL, point: undefined }, undefined), {
    endpoint: 'query',
    text: 'san & "co"',
    options: {
      type: ['city', 'suburban area'],
      language: 'zh-TW',
      countries: ['us', 'mx'],
      aroundLatLng: '33.6,-95.5',
      aroundRadius: 25_000,
      getRankingInfo: true,
    },
  });
});

test('a radius without a point is not sent, because the service refuses it', () => {
  const { options } = searchRequest({ ...EMPTY, text: 'par', radiusMeters: 5000 }, undefined);
  assert.deepEqual(options, { getRankingInfo: true });
  const nearMap = searchRequest({ ...EMPTY, text: 'par', near: 'center', radiusMeters: 5000 }, undefined);
  assert.deepEqual(nearMap.options, { getRankingInfo: true }, 'no map');
});

test('near my IP address is a request with aroundLatLngViaIP', () => {
  const { options } = searchRequest({ ...EMPTY, text: 'par', near: 'ip' }, undefined);
  assert.deepEqual(options, { aroundLatLngViaIP: true, getRankingInfo: true });
});
