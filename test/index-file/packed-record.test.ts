import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  admin2Of,
  CARD,
  importanceOf,
  latE7Of,
  lngE7Of,
  mainNameOf,
  numberOf,
  objectIdOf,
  type PlaceCard,
  populationOf,
  sourceOf,
  timezoneOf,
  typeOf,
  writeCard,
} from '../../src/index-file/packed-record.ts';
import { seededRandom } from '../support/seeded-random.ts';

const LEAST: PlaceCard = {
  source: 0x41,
  number: 0,
  type: 0,
  latE7: -900_000_000,
  lngE7: -1_800_000_000,
  population: 0,
  name: 0,
  admin2: 0,
  importance: 0,
  timezone: 0,
};
const MOST: PlaceCard = {
  source: 0x5a,
  number: Number.MAX_SAFE_INTEGER,
  type: 5,
  latE7: 900_000_000,
  lngE7: 1_800_000_000,
  population: 0xffff_ffff,
  name: 0xffff_ffff,
  admin2: 0xffff_ffff,
  importance: 0xffff,
  timezone: 0xffff,
};

function readCard(placeCards: Uint32Array, place: number): PlaceCard {
  const cards = { placeCards };
  return {
    source: sourceOf(cards, place),
    number: numberOf(cards, place),
    type: typeOf(cards, place),
    latE7: latE7Of(cards, place),
    lngE7: lngE7Of(cards, place),
    population: populationOf(cards, place),
    name: mainNameOf(cards, place),
    admin2: admin2Of(cards, place),
    importance: importanceOf(cards, place),
    timezone: timezoneOf(cards, place),
  };
}

test('what is written on cards is read from them, the least and the most of each too', () => {
  const random = seededRandom(1);
  const between = (least: number, most: number) =>
    least + Math.floor((random(0x8000_0000) / 0x8000_0000) * (most - least + 1));
  const names = Object.keys(LEAST) as (keyof PlaceCard)[];
  const cards = Array.from({ length: 1000 }, () =>
    Object.fromEntries(
      names.map((name) => [name, [LEAST[name], MOST[name], between(LEAST[name], MOST[name])][random(3)]]),
    ),
  ) as unknown as PlaceCard[];
  const words = new Uint32Array(cards.length * CARD.words);
  cards.forEach((card, place) => {
    writeCard(words, place, card);
  });
  for (const [place, card] of cards.entries()) assert.deepEqual(readCard(words, place), card);
});

test('an object id is the letter and the number', () => {
  const placeCards = new Uint32Array(CARD.words);
  writeCard(placeCards, 0, { ...LEAST, source: 0x4e, number: 12_345_678_901 });
  assert.equal(objectIdOf({ placeCards }, 0), 'N12345678901');
});
