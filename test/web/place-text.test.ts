import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Hit } from '../../packages/client/src/client.ts';
import { countText, distanceText, moreText, parsePoint, timingText } from '../../web/src/place-text.ts';

test('distances are in metres, then in kilometres', () => {
  assert.deepEqual([4.4, 999, 1500, 5000, 25_400, 5_000_000].map(distanceText), [
    '4 m',
    '999 m',
    '1.5 km',
    '5 km',
    '25 km',
    '5,000 km',
  ]);
});

test('a count is exact, or says that it is not', () => {
  const hit = {} as Hit;
  assert.equal(countText({ hits: [hit, hit], nbHits: 2 }), '2 places');
  assert.equal(countText({ hits: [hit], nbHits: 1596 }), '1 of 1,596 places');
  assert.equal(countText({ hits: [hit], nbHits: 253, exhaustiveNbHits: false }), '1 of about 253 places');
  assert.equal(countText({ hits: [hit], nbHits: 1, exhaustiveNbHits: false }), '1 place');
  assert.equal(countText({ hits: [hit, hit], nbHits: 2, exhaustiveNbHits: false }), 'The 2 best places');
  assert.equal(countText({ hits: [], nbHits: 0 }), 'No place found');
});

test('if not all matches are shown, a sentence says how to see others', () => {
  const hit = {} as Hit;
  assert.match(
    moreText({ hits: [hit, hit], nbHits: 1596 }),
    /^A search shows the 2 best\. To see others, add a region/,
  );
  assert.equal(moreText({ hits: [hit], nbHits: 1 }), '');
});

test('only a pair of coordinates on the Earth is a point', () => {
  assert.deepEqual(parsePoint('48.85,2.35'), { lat: 48.85, lng: 2.35 });
  for (const text of ['', ',', '1', '1,2,3', '91,0', '0,181', 'a,b']) assert.equal(parsePoint(text), undefined, text);
});

test('a cached response takes under 0.1 ms, not 0.0', () => {
  assert.deepEqual([0, 0.04, 0.1, 2.345, 9.96, 12.5].map(timingText), [
    'under 0.1 ms on the server',
    'under 0.1 ms on the server',
    '0.1 ms on the server',
    '2.3 ms on the server',
    '10 ms on the server',
    '13 ms on the server',
  ]);
});
