import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import type { Bounds } from '../../web/src/map/bounds.ts';
import { LabelCells } from '../../web/src/map/label-cells.ts';
import type { LabelPlace } from '../../web/src/map/place-map.ts';

interface Call {
  readonly box: Bounds;
  readonly signal: AbortSignal;
  readonly answer: (places: readonly LabelPlace[]) => Promise<void>;
  readonly fail: () => Promise<void>;
}

const LONDON: LabelPlace = { name: 'London', lat: 51.5, lng: -0.1, population: 9_000_000 };
const READING: LabelPlace = { name: 'Reading', lat: 51.5, lng: -1, population: 300_000 };
/** At zoom 5 these two views are in one cell each: 22.5 degrees wide and 11.25 high. */
const ENGLAND: Bounds = { south: 50, west: -5, north: 53, east: -1 };
const POLAND: Bounds = { south: 50, west: 15, north: 53, east: 20 };

function createLabels(t: TestContext) {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const calls: Call[] = [];
  let shown: readonly LabelPlace[] = [];
  const cells = new LabelCells({
    load: (box, _zoom, signal) => {
      const { promise, resolve, reject } = Promise.withResolvers<readonly LabelPlace[]>();
      const answer = async (places: readonly LabelPlace[]) => {
        resolve(places);
        await setImmediate();
      };
      const fail = async () => {
        reject(new Error('429'));
        await setImmediate();
      };
      calls.push({ box, signal, answer, fail });
      return promise;
    },
    show: (places) => {
      shown = places;
    },
  });
  return {
    cells,
    calls,
    shownNames: () => shown.map(({ name }) => name),
    wait: (ms: number) => t.mock.timers.tick(ms),
  };
}

test('the places of the view are loaded by cells that cover it, and shown', async (t) => {
  const { cells, calls, shownNames } = createLabels(t);
  cells.viewChanged(ENGLAND, 5);
  assert.deepEqual(
    calls.map(({ box }) => box),
    [{ south: 45, west: -22.5, north: 56.25, east: 0 }],
  );
  await calls[0]?.answer([LONDON]);
  assert.deepEqual(shownNames(), ['London']);
});

test('moving within a loaded cell, and back to one, costs no call', async (t) => {
  const { cells, calls } = createLabels(t);
  cells.viewChanged(ENGLAND, 5);
  await calls[0]?.answer([LONDON]);
  cells.viewChanged({ ...ENGLAND, west: -6 }, 5);
  assert.equal(calls.length, 1);
  cells.viewChanged(POLAND, 5);
  await calls[1]?.answer([]);
  cells.viewChanged(ENGLAND, 5);
  assert.equal(calls.length, 2);
});

test('a call for a cell that left the view is cancelled, and its answer is not shown', async (t) => {
  const { cells, calls, shownNames } = createLabels(t);
  cells.viewChanged(ENGLAND, 5);
  cells.viewChanged(POLAND, 5);
  assert.equal(calls[0]?.signal.aborted, true);
  await calls[0]?.answer([LONDON]);
  assert.deepEqual(shownNames(), []);
});

test('places of smaller cells are hidden again at lower zooms', async (t) => {
  const { cells, calls, shownNames } = createLabels(t);
  cells.viewChanged(ENGLAND, 5);
  await calls[0]?.answer([LONDON]);
  cells.viewChanged({ south: 51, west: -1.2, north: 51.6, east: -0.8 }, 7);
  await calls[1]?.answer([READING, LONDON]);
  assert.deepEqual(shownNames(), ['London', 'Reading']);
  cells.viewChanged(ENGLAND, 5);
  assert.deepEqual(shownNames(), ['London']);
});

test('a cell within one without places is not loaded', async (t) => {
  const { cells, calls } = createLabels(t);
  cells.viewChanged(ENGLAND, 5);
  await calls[0]?.answer([]);
  cells.viewChanged(ENGLAND, 7);
  assert.equal(calls.length, 1);
});

test('a view across the antimeridian is loaded on both sides', (t) => {
  const { cells, calls } = createLabels(t);
  cells.viewChanged({ south: -18, west: 178, north: -16, east: 182 }, 5);
  assert.deepEqual(
    calls.map(({ box }) => [box.west, box.east]),
    [
      [157.5, 180],
      [-180, -157.5],
    ],
  );
});

test('a view of the whole earth loads each cell once', (t) => {
  const { cells, calls } = createLabels(t);
  cells.viewChanged({ south: -90, west: -200, north: 90, east: 200 }, 2);
  assert.equal(new Set(calls.map(({ box }) => JSON.stringify(box))).size, 4);
  assert.equal(calls.length, 4);
});

test('after a failed call the places stay, and the next call waits, longer each time', async (t) => {
  const { cells, calls, shownNames, wait } = createLabels(t);
  cells.viewChanged(ENGLAND, 5);
  await calls[0]?.answer([LONDON]);
  cells.viewChanged(POLAND, 5);
  await calls[1]?.fail();
  assert.deepEqual(shownNames(), ['London']);
  cells.viewChanged({ ...POLAND, west: 14 }, 5);
  wait(4_999);
  assert.equal(calls.length, 2);
  wait(1);
  assert.equal(calls.length, 3);
  await calls[2]?.fail();
  wait(9_999);
  assert.equal(calls.length, 3);
  wait(1);
  assert.equal(calls.length, 4);
});

test('the least recently used cell is forgotten when there are more than 256', async (t) => {
  const { cells, calls } = createLabels(t);
  const viewOf = (column: number) => ({ south: 1, west: column + 0.1 - 180, north: 1, east: column + 0.1 - 180 });
  for (let column = 0; column < 257; column++) {
    cells.viewChanged(viewOf(column), 10);
    await calls.at(-1)?.answer([LONDON]);
  }
  const before = calls.length;
  cells.viewChanged(viewOf(256), 10);
  assert.equal(calls.length, before);
  cells.viewChanged(viewOf(0), 10);
  assert.equal(calls.length, before + 1);
});

test('close cancels the open call and the retry', async (t) => {
  const { cells, calls, wait } = createLabels(t);
  cells.viewChanged({ south: -18, west: 178, north: -16, east: 182 }, 5);
  await calls[0]?.fail();
  cells.close();
  assert.equal(calls[1]?.signal.aborted, true);
  wait(60_000);
  assert.equal(calls.length, 2);
});

test('reset loads the view again, and keeps its places until the new ones arrive', async (t) => {
  const { cells, calls, shownNames } = createLabels(t);
  cells.viewChanged(ENGLAND, 5);
  await calls[0]?.answer([LONDON]);
  cells.viewChanged(POLAND, 5);
  cells.reset();
  assert.equal(calls[1]?.signal.aborted, true);
  assert.equal(calls.length, 3);
  assert.deepEqual(shownNames(), ['London']);
  await calls[2]?.answer([{ ...READING, name: 'Lesung' }]);
  assert.deepEqual(shownNames(), ['Lesung']);
  cells.viewChanged(ENGLAND, 5);
  assert.equal(calls.length, 4);
});
