import assert from 'node:assert/strict';
import { test } from 'node:test';
import { anEngine, aPlace, namesOf, type PlaceSketch } from '../../../../test/support/an-engine.ts';
import type { Place } from '../../src/place/place.ts';

const ENDINGS = ['a', 'e', 'i', 'o', 'u'].flatMap((vowel) => ['b', 'd', 'g', 'k'].map((last) => vowel + last));

/** Twenty places whose names start with the prefix, far apart: a whole page. */
function twenty(prefix: string, sketch: PlaceSketch) {
  return ENDINGS.map((ending, i) => aPlace({ name: prefix + ending, lat: 40 + i, ...sketch }));
}

/** Better known than the crowded places, with fewer people. */
const KNOWN = { population: 20_000, importance: 0.55 };
const seats = twenty('Kans', KNOWN);
const crowded = twenty('Kanz', { population: 60_000 });
const engine = await anEngine([...seats, ...crowded]);

function nameOf({ names }: Pick<Place, 'names'>): string {
  return names[0]!.value;
}

/** Number of crowded places among the hits. */
function crowdedHits(text: string, rest = {}): number {
  return namesOf(engine.search({ text, limit: 20, ...rest })).filter((name) => name.startsWith('Kanz')).length;
}

test('for two to four letters the page shows the best and the most populous places', () => {
  for (const text of ['ka', 'kan']) assert.equal(crowdedHits(text), 12, text);
  const { hits } = engine.search({ text: 'kan', limit: 20 });
  assert.deepEqual(
    hits.map(({ score }) => score),
    hits.map(({ score }) => score).sort((a, b) => b - a),
  );
});

test('the largest populations are shown first, and of equal ones the better matches', async () => {
  const people = ENDINGS.map((_, i) => [61, 70, 62, 71][i % 4]! * 1000);
  const places = ENDINGS.map((ending, i) => aPlace({ name: `Kanz${ending}`, lat: 40 + i, population: people[i]! }));
  const { hits } = (await anEngine([...seats, ...places])).search({ text: 'kan', limit: 20 });
  const shown = hits.map(({ record }) => record).filter(({ name }) => name.startsWith('Kanz'));
  const counts = new Map<number | undefined, number>();
  for (const { population } of shown) counts.set(population, (counts.get(population) ?? 0) + 1);
  assert.deepEqual(
    counts,
    new Map([
      [71_000, 5],
      [70_000, 5],
      [62_000, 2],
    ]),
  );
});

test('for one letter, for more than four, or with a point, the page shows the best places', () => {
  for (const text of ['k', 'kansa']) assert.equal(crowdedHits(text), 0, text);
  assert.equal(crowdedHits('kan', { around: { lat: -40, lng: -60 } }), 0);
});

test('whole names stay on the page, and four letters that are a whole name mean that name', async () => {
  const named = await anEngine([...seats, ...crowded, aPlace({ name: 'Kan', population: 10_000 })]);
  assert.ok(namesOf(named.search({ text: 'kan', limit: 20 })).includes('Kan'));
  const longer = [...twenty('Kanes', KNOWN), ...twenty('Kanez', { population: 60_000 })];
  for (const [places, expected] of [
    [longer, 12],
    [[...longer, aPlace({ name: 'Kane', population: 10_000 })], 0],
  ] as const) {
    const page = namesOf((await anEngine(places)).search({ text: 'kane', limit: 20 }));
    assert.equal(page.filter((name) => name.startsWith('Kanez')).length, expected);
  }
});

test('places found by an alternate name or a later word are not selected by population', async () => {
  const others = [
    ...twenty('Kanz', { population: 30_000 }),
    ...ENDINGS.map((ending, i) =>
      aPlace({ name: `Q${ending}`, alternateNames: [`Kany${ending}`], lat: i, population: 90_000 }),
    ),
    ...ENDINGS.map((ending, i) => aPlace({ name: `Q${ending} Kanx${ending}`, lat: 20 + i, population: 90_000 })),
  ];
  const page = namesOf((await anEngine([...seats, ...others])).search({ text: 'kan', limit: 20 }));
  assert.equal(page.filter((name) => name.startsWith('Kanz')).length, 12);
});

test('towns of unknown population stay where their score puts them', async () => {
  const [town, ...others] = seats;
  const { population: _, ...unknown } = town!;
  const page = namesOf((await anEngine([unknown, ...others, ...crowded])).search({ text: 'kan', limit: 20 }));
  assert.ok(page.includes(nameOf(unknown)));
});

test('for three letters the best-known cities stay on the page', async () => {
  const capitals = twenty('Kans', { population: 3_000_000, importance: 0.8 });
  const larger = twenty('Kanz', { population: 5_000_000, importance: 0.76 });
  const known = await anEngine([...capitals, ...larger]);
  const shown = (text: string) =>
    namesOf(known.search({ text, limit: 20 })).filter((name) => name.startsWith('Kans')).length;
  assert.deepEqual([shown('ka'), shown('kan')], [8, 20]);
});

test('of two places with the same name the better match is shown, not the more populous one', async () => {
  const seat = aPlace({ name: 'Kanu', lat: 60, population: 58_000, adminRank: 2 });
  const suburb = aPlace({ name: 'Kanu', lat: 60.001, population: 59_000 });
  const { hits } = (
    await anEngine([...twenty('Kans', { population: 40_000, importance: 0.55 }), ...crowded.slice(0, 10), seat, suburb])
  ).search({
    text: 'kan',
    limit: 20,
  });
  assert.deepEqual(
    hits.filter(({ record }) => record.name === 'Kanu').map(({ objectID }) => objectID),
    [seat.id],
  );
});
