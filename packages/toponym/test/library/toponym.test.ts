import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { anIndex, aPlace } from '../../../../test/support/an-engine.ts';
import { IndexFormatError, openToponym, type Toponym } from '../../src/library/node.ts';
import { createTerminalLine } from '../../src/library/open-index-source.ts';

const index = await anIndex([
  aPlace({
    id: 'G1',
    name: 'Paris',
    population: 2_000_000,
    lat: 48.85,
    lng: 2.35,
    admin1: 'FR.11',
    timezone: 'Europe/Paris',
  }),
  aPlace({ id: 'G2', name: 'Paris', population: 25_000, lat: 33.66, lng: -95.55, country: 'US', admin1: 'US.TX' }),
  aPlace({ id: 'G3', name: 'Parilly', lat: 45.72, lng: 4.88 }),
]);

function labels(toponym: Toponym): string[] {
  return toponym.search({ text: 'paris', limit: 2 }).hits.map(({ label }) => label);
}

test('the index may be a part of a larger buffer, and a damaged one is refused', async () => {
  const padded = new Uint8Array(index.byteLength + 6);
  padded.set(new Uint8Array(index), 3);
  const bytes = padded.subarray(3, -3);
  assert.deepEqual(labels(await openToponym({ index: bytes })), ['Paris, France', 'Paris, Texas, United States']);
  bytes[bytes.length - 5]! ^= 1;
  await assert.rejects(openToponym({ index: bytes }), IndexFormatError);
});

test('a thread opens the index that another thread has in shared memory', async () => {
  const code = `
    import { parentPort, workerData } from 'node:worker_threads';
    import { openToponym } from ${JSON.stringify(import.meta.resolve('../../src/library/node.ts'))};
    const toponym = await openToponym({ index: workerData });
    parentPort.postMessage(toponym.search({ text: 'parilly' }).hits[0].objectID);
  `;
  const url = new URL(`data:text/javascript,${encodeURIComponent(code)}`);
  const worker = new Worker(url, { workerData: index });
  const { promise, resolve, reject } = Promise.withResolvers();
  worker.once('message', resolve).once('error', reject);
  assert.equal(await promise, 'G3');
});

test('wrong options of openToponym are errors', async () => {
  const wrong: readonly (readonly [unknown, RegExp])[] = [
    ['x', /^openToponym: options must be an object, got "x"$/],
    [5, /options must be an object, got 5$/],
    [null, /options must be an object, got null$/],
    [[], /options must be an object, got \[\]$/],
    [{ index: 7 }, /^openToponym: index must be the path of an index file, or its bytes, got 7$/],
    [{ index: 'https://example.com/x' }, /index must be the path of .* got "https:\/\/example\.com\/x"$/],
    [{ overlay: 5 }, /^openToponym: overlay must be the path of an overlay file, got 5$/],
    [{ onProgress: true }, /^openToponym: onProgress must be a function, got true$/],
  ];
  for (const [options, message] of wrong) {
    await assert.rejects(openToponym(options as object), { name: 'TypeError', message });
  }
  await assert.rejects(openToponym({ index: '/no/such/file' }), (error: Error) => {
    return (error.cause as NodeJS.ErrnoException).code === 'ENOENT';
  });
  // @ts-expect-error
  await assert.rejects(openToponym({ indx: 'x' }), /unknown option "indx"\. Known options: index, overlay, onProgress/);
  await assert.rejects(openToponym({ index: '/no/such/file' }), /The index \/no\/such\/file cannot be read/);
});

test('after close, calls fail', async () => {
  const toponym = await openToponym({ index });
  await toponym.close();
  await toponym.close();
  for (const call of [
    () => labels(toponym),
    () => toponym.get('G1'),
    () => toponym.reverse({ at: { lat: 0, lng: 0 } }),
  ]) {
    assert.throws(call, { name: 'TypeError', message: 'this Toponym is closed: open it again with openToponym()' });
  }
  assert.equal(toponym.dataset.places, 3);
});

test('without onProgress, a terminal gets one line about the first index, and other output none', () => {
  const linesOn = (isTTY: boolean) => {
    const lines: string[] = [];
    const onProgress = createTerminalLine({ isTTY, write: (line: string) => lines.push(line) > 0 });
    onProgress();
    onProgress();
    return lines;
  };
  assert.deepEqual(linesOn(true), [
    'toponym: indexing places. This is done once, and takes about 20 seconds with the embedded data.\n',
  ]);
  assert.deepEqual(linesOn(false), []);
});
