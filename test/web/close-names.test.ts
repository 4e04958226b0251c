import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { CloseNames } from '../../web/src/map/close-names.ts';
import type { Settlement, Settlements } from '../../web/src/map/place-map.ts';

const CADIZ = { name: 'Cádiz', population: 126_766, lat: 36.53, lng: -6.29 };

/** A map whose view is a box around a point, and the page that it asks. */
function aMap(t: TestContext, find: () => Promise<Settlements> = async () => ({ places: [CADIZ], areAll: false })) {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  let now = 0;
  t.mock.method(performance, 'now', () => now);
  let view = { lat: 0, lng: 0, zoom: 0 };
  let onMoved = () => {};
  const map = {
    on: (_: string, listener: () => void) => {
      onMoved = listener;
    },
    getZoom: () => view.zoom,
    getBounds: () => ({
      getSouth: () => view.lat - 1,
      getNorth: () => view.lat + 1,
      getWest: () => view.lng - 1,
      getEast: () => view.lng + 1,
    }),
  };
  const asked: number[][] = [];
  const shown: (readonly Settlement[])[] = [];
  const names = new CloseNames(
    map as unknown as ConstructorParameters<typeof CloseNames>[0],
    ({ south, west, north, east }) => {
      asked.push([south, west, north, east]);
      return find();
    },
    (places) => shown.push(places),
  );
  /** Moves the map, which then rests. */
  const moveTo = async (lat: number, lng: number, zoom: number) => {
    view = { lat, lng, zoom };
    onMoved();
    t.mock.timers.tick(1000);
    await new Promise(setImmediate);
  };
  const wait = (ms: number) => {
    now += ms;
  };
  return { names, asked, shown, moveTo, wait, moveOn: () => onMoved() };
}

test('a close view that rests is asked for once, and one seen from afar never', async (t) => {
  const { asked, shown, moveTo, moveOn } = aMap(t);
  await moveTo(36, -6, 5);
  assert.deepEqual(asked, []);
  moveOn();
  moveOn();
  await moveTo(36, -6, 8);
  assert.deepEqual(asked, [[35, -7, 37, -5]]);
  assert.deepEqual(shown, [[CADIZ]]);
});

test('a view that an answer covers costs no call, and its names stay', async (t) => {
  const { asked, shown, moveTo } = aMap(t);
  await moveTo(36, -6, 8);
  await moveTo(36.1, -6.1, 8.5);
  await moveTo(50, 8, 8);
  await moveTo(36, -6, 8);
  assert.equal(asked.length, 2);
  assert.deepEqual(shown.at(-1), [CADIZ, CADIZ]);
  await moveTo(36, -6, 9);
  assert.equal(asked.length, 3, 'a much closer view has room for more names');
});

test('a closer view costs no call if the answer has all settlements', async (t) => {
  const { asked, moveTo } = aMap(t, async () => ({ places: [CADIZ], areAll: true }));
  await moveTo(36, -6, 7);
  await moveTo(36, -6, 9);
  assert.equal(asked.length, 1);
});

test('a restless user makes 30 calls a minute', async (t) => {
  const { asked, moveTo, wait } = aMap(t);
  for (let i = 0; i < 40; i++) await moveTo(0, 3 * i - 60, 8);
  assert.equal(asked.length, 30);
  wait(61_000);
  await moveTo(0, 90, 8);
  assert.equal(asked.length, 31);
});

test('names of another language are asked for again', async (t) => {
  const { names, asked, shown, moveTo } = aMap(t);
  await moveTo(36, -6, 8);
  names.reset();
  assert.deepEqual(shown.at(-1), []);
  t.mock.timers.tick(1000);
  assert.equal(asked.length, 2);
});

test('a call that fails shows nothing, and the next move asks again', async (t) => {
  const { asked, shown, moveTo } = aMap(t, () => Promise.reject(new Error('busy')));
  await moveTo(36, -6, 8);
  await moveTo(36, -6, 8);
  assert.deepEqual([asked.length, shown], [2, []]);
});
