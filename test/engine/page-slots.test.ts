import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Place } from '../../src/place/place.ts';
import { anEngine, aPlace, namesOf, type PlaceSketch } from '../support/an-engine.ts';

const ENDINGS = ['ab', 'ec', 'id', 'of', 'ug', 'ah', 'ek', 'il', 'om', 'un'];

/** Ten places whose names begin so, far from each other. */
function ten(beginning: string, sketch: PlaceSketch) {
  return ENDINGS.map((ending, i) => aPlace({ name: beginning + ending, lat: 40 + i, ...sketch }));
}

/** Seats of government with fewer people than the others, and so the more important ones. */
const seats = ten('Kans', { population: 20_000, adminRank: 5 });
const crowded = ten('Kanz', { population: 60_000 });
const engine = await anEngine([...seats, ...crowded]);

function nameOf({ names }: Pick<Place, 'names'>): string {
  return names[0]!.value;
}

/** How many of the first hits are of the crowded places. */
function crowdedAmong(text: string, limit = 10, rest = {}): number {
  return namesOf(engine.search({ text, limit, ...rest })).filter((name) => name.startsWith('Kanz')).length;
}

test('of two to four letters the page has the best, and where most people live', () => {
  for (const text of ['ka', 'kan']) assert.equal(crowdedAmong(text), 6, text);
  assert.equal(crowdedAmong('kan', 5), 3);
  assert.equal(crowdedAmong('kan', 20), 10);
  const { hits } = engine.search({ text: 'kan', limit: 10 });
  assert.deepEqual(
    hits.map(({ score }) => score),
    hits.map(({ score }) => score).sort((a, b) => b - a),
  );
});

test('of those with the most people, the most populous are shown, and of equals the better ones', async () => {
  const people = [61, 70, 62, 70, 63, 61, 70, 64, 61, 65].map((thousands) => thousands * 1000);
  const places = ENDINGS.map((ending, i) => aPlace({ name: `Kanz${ending}`, lat: 40 + i, population: people[i]! }));
  const { hits } = (await anEngine([...seats, ...places])).search({ text: 'kan', limit: 10 });
  const shown = hits.map(({ record }) => record).filter(({ name }) => name.startsWith('Kanz'));
  assert.deepEqual(
    shown.map(({ population }) => population).sort((a, b) => b! - a!),
    [70_000, 70_000, 70_000, 65_000, 64_000, 63_000],
  );
});

test('of one letter, of a name, or with a point, the page has the best', () => {
  for (const text of ['k', 'kansa']) assert.equal(crowdedAmong(text), 0, text);
  assert.equal(crowdedAmong('kan', 10, { around: { lat: -40, lng: -60 } }), 0);
});

test('whole names stay, and four letters that are one are taken for it', async () => {
  const named = await anEngine([...seats, ...crowded, aPlace({ name: 'Kan', population: 10_000 })]);
  assert.ok(namesOf(named.search({ text: 'kan', limit: 10 })).includes('Kan'));
  const longer = [...ten('Kanes', { population: 20_000, adminRank: 5 }), ...ten('Kanez', { population: 60_000 })];
  for (const [places, expected] of [
    [longer, 6],
    [[...longer, aPlace({ name: 'Kane', population: 10_000 })], 0],
  ] as const) {
    const page = namesOf((await anEngine(places)).search({ text: 'kane', limit: 10 }));
    assert.equal(page.filter((name) => name.startsWith('Kanez')).length, expected);
  }
});

test('those found by another name or a later word do not count by their people', async () => {
  const others = [
    ...ten('Kanz', { population: 30_000 }),
    ...ENDINGS.map((ending, i) =>
      aPlace({ name: `Q${ending}`, otherNames: [`Kany${ending}`], lat: i, population: 90_000 }),
    ),
    ...ENDINGS.map((ending, i) => aPlace({ name: `Q${ending} Kanx${ending}`, lat: 20 + i, population: 90_000 })),
  ];
  const page = namesOf((await anEngine([...seats, ...others])).search({ text: 'kan', limit: 10 }));
  assert.equal(page.filter((name) => name.startsWith('Kanz')).length, 6);
});

test('towns whose population is not known keep the place that their score gives them', async () => {
  const [town, ...others] = seats;
  const { population: _, ...unknown } = town!;
  const page = namesOf((await anEngine([unknown, ...others, ...crowded])).search({ text: 'kan', limit: 10 }));
  assert.ok(page.includes(nameOf(unknown)));
});

test('of three letters the best-known cities stay', async () => {
  const capitals = ten('Kans', { population: 3_000_000, adminRank: 5 });
  const larger = ten('Kanz', { population: 5_000_000 });
  const known = await anEngine([...capitals, ...larger]);
  const shown = (text: string) =>
    namesOf(known.search({ text, limit: 10 })).filter((name) => name.startsWith('Kans')).length;
  assert.deepEqual([shown('ka'), shown('kan')], [4, 10]);
});

test('of two places of one name the better one is shown, not the more populous one', async () => {
  const seat = aPlace({ name: 'Kanu', lat: 60, population: 58_000, adminRank: 2 });
  const suburb = aPlace({ name: 'Kanu', lat: 60.001, population: 59_000 });
  const { hits } = (
    await anEngine([...ten('Kans', { population: 40_000, adminRank: 5 }), ...crowded, seat, suburb])
  ).search({
    text: 'kan',
    limit: 20,
  });
  assert.deepEqual(
    hits.filter(({ record }) => record.name === 'Kanu').map(({ objectID }) => objectID),
    [seat.id],
  );
});

test('for one hit or two there are as many candidates as for a longer text', async () => {
  const namesakes = Array.from({ length: 6 }, (_, i) =>
    aPlace({ name: 'Kanash', lat: 10 * i - 50, population: 90_000 }),
  );
  const page = namesOf((await anEngine([...namesakes, ...crowded])).search({ text: 'kan', limit: 2 }));
  assert.equal(new Set(page).size, 2);
});
