/**
 * Totals are compared with brute force, for queries of all kinds over the embedded data. A total
 * is exact, or is marked as inexact and close.
 */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { embeddedBytes, embeddedEngine as engine } from '../../../../test/support/embedded-engine.ts';
import { seededRandom } from '../../../../test/support/seeded-random.ts';
import type { SearchQuery } from '../../src/engine.ts';
import { openIndex } from '../../src/index-file/open-index.ts';
import { Duplicates } from '../../src/page/page-selection.ts';
import { PlaceRecords } from '../../src/page/place-records.ts';
import { boxBetween } from '../../src/place/bounding-box.ts';
import { PLACE_TYPES } from '../../src/place/place.ts';
import { naiveMatches } from './naive-matches.ts';

const FULL_PAGE = 20;
/** Up to this many matches are all candidates, so their number is not estimated. */
const MAX_CANDIDATES = 26;
/** How often every kind of text is combined with every kind of filter. */
const ROUNDS = 3;
const MAX_ERROR = 0.2;
const MIN_SHARE_WITHIN = 0.9;

const index = openIndex(embeddedBytes);
const matchesOf = naiveMatches(index);

test('exact totals equal brute force, and nine of ten estimates are within 20% of it', () => {
  const queries = someQueries();
  assert.ok(queries.length > 200, `only ${queries.length} queries`);
  const errors: number[] = [];
  let exactCount = 0;
  for (const query of queries) {
    const { hits, total, isTotalExact, isExhaustive } = engine.search(query);
    const label = `${JSON.stringify(query)}: ${total}`;
    const matches = matchesOf(query);
    assert.ok(total >= hits.length, label);
    assert.equal(engine.search({ ...query, limit: 3 }).total, total, label);
    if (!isExhaustive) continue;
    const isFull = hits.length === FULL_PAGE;
    if (isTotalExact) {
      assert.equal(total, isFull ? matches.size : countDistinct(matches), label);
      exactCount++;
    } else if (matches.size > MAX_CANDIDATES) {
      errors.push(Math.abs(total - matches.size) / matches.size);
    } else {
      assert.ok(total >= countDistinct(matches), label); // hits with typos or of a region alone count too
    }
    if (!isFull) assert.equal(total, hits.length, label);
  }
  const within = errors.filter((error) => error <= MAX_ERROR).length;
  assert.ok(exactCount > 100 && errors.length > 15, `${exactCount} exact, ${errors.length} estimated`);
  assert.ok(within >= MIN_SHARE_WITHIN * errors.length, `${within} of ${errors.length} estimates are close`);
});

/** Number of places after removing duplicates, as on a page. */
function countDistinct(places: ReadonlySet<number>): number {
  const duplicates = new Duplicates(index, new PlaceRecords(index), places.size);
  return [...places].filter((place) => !duplicates.rejects(place)).length;
}

/** Every kind of text with every kind of filter, ROUNDS times. */
function someQueries(): SearchQuery[] {
  const random = seededRandom(3);
  const records = new PlaceRecords(index);
  const aPlace = () => random(index.metadata.places);
  const aName = (place = aPlace()) => records.mainNameText(place).text;
  const aFirstWord = () => aName().split(' ', 1)[0]!;
  const aCountry = () => index.metadata.countries[index.placeCountry[aPlace()]! - 1]!;
  const aRegion = () => records.record(aPlace(), undefined).regions.country;
  const aDivision = () => records.record(aPlace(), undefined).regions.administrative[0] ?? aRegion();
  const aPoint = (place = aPlace()) => ({
    lat: index.placeLatE7[place]! / 1e7,
    lng: index.placeLngE7[place]! / 1e7,
  });
  const aBox = (degrees: number, { lat, lng } = aPoint()) => {
    const east = lng + degrees;
    const second = { lat: Math.min(90, lat + degrees), lng: east > 180 ? east - 360 : east };
    return boxBetween({ lat, lng }, second);
  };
  const texts = [
    () => aName().slice(0, 1),
    () => aName().slice(0, 2),
    () => aName().slice(0, 3),
    () => aName().slice(0, 4 + random(3)),
    () => aName(),
    () => aName(random(1000)), // a large city
    () => `${aFirstWord()} ${aRegion()}`,
    () => `${aFirstWord().slice(0, 3)} ${aDivision()}`,
    () => `${aDivision()} ${aDivision()}`,
  ];
  const filters: (() => Partial<SearchQuery>)[] = [
    () => ({}),
    () => ({ types: [PLACE_TYPES[random(PLACE_TYPES.length)]!] }),
    () => ({ countries: [aCountry()] }),
    () => ({ countries: [aCountry(), aCountry()], types: ['city', 'town'] }),
    () => ({ around: aPoint() }),
    () => ({ around: aPoint(), radiusMeters: 10_000 * (1 + random(20)) }),
    () => ({ around: aPoint(), radiusMeters: 200_000 * (1 + random(20)) }),
    () => ({ box: aBox(1 + random(3)) }),
    () => ({ box: aBox(5 + random(30)) }),
    () => ({ box: boxBetween(aPoint(), aPoint()), around: aPoint(), types: ['city', 'village'] }),
  ];
  return Array.from({ length: ROUNDS }, () =>
    texts.flatMap((text) => filters.map((filter) => ({ text: text(), limit: FULL_PAGE, ...filter() }))),
  ).flat();
}
