import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Hit } from '../../src/client/client.ts';
import { highlightParts } from '../../web/src/highlight.ts';
import { countText, distanceText, flagOf, parsePoint, percentOf } from '../../web/src/place-text.ts';

test('a highlighted name is split into its parts, and its escapes are undone once', () => {
  assert.deepEqual(highlightParts('<em>Par</em>is &amp;lt; &lt;em&gt;'), [
    { text: 'Par', isMatch: true },
    { text: 'is &lt; <em>', isMatch: false },
  ]);
  assert.deepEqual(highlightParts('N&#39;Djamena'), [{ text: "N'Djamena", isMatch: false }]);
});

test('a flag is two regional indicators, and what is no country has none', () => {
  assert.equal(flagOf('fr'), '🇫🇷');
  assert.equal(flagOf(''), '');
});

test('a confidence is never shown as certain or impossible', () => {
  assert.deepEqual([0.0001, 0.176, 0.994, 0.999].map(percentOf), ['<1%', '18%', '99%', '>99%']);
});

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
  assert.equal(countText({ hits: [hit], nbHits: 1596 }), '1,596 places');
  assert.equal(countText({ hits: [hit], nbHits: 253, exhaustiveNbHits: false }), 'About 253 places');
  assert.equal(countText({ hits: [hit], nbHits: 1, exhaustiveNbHits: false }), '1 place');
  assert.equal(countText({ hits: [], nbHits: 0 }), 'No place found');
});

test('only a pair of coordinates on the Earth is a point', () => {
  assert.deepEqual(parsePoint('48.85,2.35'), { lat: 48.85, lng: 2.35 });
  for (const text of ['', ',', '1', '1,2,3', '91,0', '0,181', 'a,b']) assert.equal(parsePoint(text), undefined, text);
});
