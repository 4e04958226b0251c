import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ListedCity } from '../../../src/sources/embedded/cities-package.ts';
import { joinCities, type KnownPlace } from '../../../src/sources/embedded/join.ts';

/** Degrees of latitude. */
const KM = 1 / 111.195;

type Written = readonly [name: string, km?: number, more?: Partial<KnownPlace>];

/** All lie `km` north of one point. */
function pointNorth(km: number) {
  return { lat: 50 + km * KM, lng: 10, country: 'DE', admin1: 'DE.02' };
}

function known([name, km = 0, more]: Written): KnownPlace {
  const unknown = { asciiName: name, otherNames: () => [], population: 0, timezone: '' };
  return { id: name, name, ...pointNorth(km), ...unknown, ...more };
}

function listed([name, km = 0, more]: Written): ListedCity {
  const { country = 'DE', admin1 = 'DE.02' } = more ?? {};
  return { name, ...pointNorth(km), country, admin1 };
}

/** `Place = City` for pairs, and `+ City` for new ones. */
function join(places: readonly Written[], cities: readonly Written[]): string[] {
  const { cityOf, added } = joinCities(places.map(known), cities.map(listed));
  return [...[...cityOf].map(([{ name }, city]) => `${name} = ${city.name}`), ...added.map(({ name }) => `+ ${name}`)];
}

const CASES: readonly (readonly [what: string, Written[], Written[], string[]])[] = [
  ['the same name', [['Jena']], [['Jena', 7.9]], ['Jena = Jena']],
  ['the same name, but too far', [['Jena', 0, { admin1: 'DE.15' }]], [['Jena', 8.1]], ['+ Jena']],
  ['the same name in another country', [['Frankfurt']], [['Frankfurt', 0, { country: 'PL' }]], ['+ Frankfurt']],
  ['the same plain name', [["L'viv", 0, { asciiName: 'Lviv' }]], [['Lviv']], ["L'viv = Lviv"]],
  [
    'another name becomes the main name',
    [['Port Elizabeth', 0, { otherNames: () => ['PLZ', 'Gqeberha'] }]],
    [['Gqeberha', 7.9]],
    ['Port Elizabeth = Gqeberha'],
  ],
  ['a name that sounds alike at the same point', [['Rānībennur']], [['Ranebennur', 0.5]], ['Rānībennur = Ranebennur']],
  ['a name that sounds alike nearby', [['Coondapoor']], [['Kundapura', 0.7]], ['+ Kundapura']],
  [
    'another name that sounds almost the same',
    [['Novohrad-Volynskyi', 0, { otherNames: () => ['Звягель', 'Zviahel'] }]],
    [['Zvyahel', 1.4]],
    ['Novohrad-Volynskyi = Zvyahel'],
  ],
  [
    'another name that sounds almost the same, but too far',
    [['Novohrad-Volynskyi', 0, { otherNames: () => ['Zviahel'] }]],
    [['Zvyahel', 1.6]],
    ['+ Zvyahel'],
  ],
  [
    'another name that only sounds alike',
    [['Ulm', 0, { otherNames: () => ['Zabreznica'] }]],
    [['Breznica', 0.7]],
    ['+ Breznica'],
  ],
  ['a longer name', [['Greifswald']], [['Hansestadt Greifswald', 1.9]], ['Greifswald = Hansestadt Greifswald']],
  ['a longer name, but too far', [['Greifswald']], [['Hansestadt Greifswald', 2.1]], ['+ Hansestadt Greifswald']],
  ['a longer word', [['Berg']], [['Bergheim', 1]], ['+ Bergheim']],
  ['an unknown name at almost the same point', [['Osmanabad']], [['Dharashiv', 0.14]], ['Osmanabad = Dharashiv']],
  ['an unknown name nearby', [['Hotan']], [['Gujangbagh', 0.2]], ['+ Gujangbagh']],
  [
    'a place that moved within its division',
    [['Newport News']],
    [['Newport News', 12]],
    ['Newport News = Newport News'],
  ],
  [
    'a place that moved from the point of another one',
    [['Newport News']],
    [['Hampton'], ['Newport News', 12]],
    ['Newport News = Newport News', '+ Hampton'],
  ],
  ['a place that moved too far', [['Newport News']], [['Newport News', 26]], ['+ Newport News']],
  // districts and estates at the point of their city
  ['a district, and its city', [['İstanbul']], [['Aksaray'], ['Istanbul']], ['İstanbul = Istanbul', '+ Aksaray']],
  [
    'a district, and its city under another name',
    [['Turin', 0, { otherNames: () => ['Torino'] }]],
    [['Centro'], ['Torino', 1]],
    ['Turin = Torino', '+ Centro'],
  ],
  [
    'two of the same name: the closest pairs',
    [['Neustadt'], ['Neustadt', 5]],
    [
      ['Neustadt', 4],
      ['Neustadt', 1],
    ],
    ['Neustadt = Neustadt', 'Neustadt = Neustadt'],
  ],
  ['a city that the list has twice', [['Banga']], [['Banga'], ['Banga', 7]], ['Banga = Banga']],
  ['a new city that the list has twice', [], [['Banga'], ['Banga', 7]], ['+ Banga']],
  [
    'a city that the list has twice, beside a place that also has the name',
    [['Al Fulah'], ['El Fula', 2, { otherNames: () => ['Al Fulah'] }]],
    [['Al Fulah'], ['Al-Fulah', 2]],
    ['Al Fulah = Al Fulah'],
  ],
  ['new cities of one name far from each other', [], [['Banga'], ['Banga', 9]], ['+ Banga', '+ Banga']],
];

for (const [what, places, cities, expected] of CASES) {
  test(`a join of ${what}`, () => assert.deepEqual(join(places, cities), expected));
}

test('the closest places are paired, also across the antimeridian', () => {
  const fiji = { country: 'FJ', asciiName: 'Naqara', otherNames: () => [], population: 0, timezone: '' };
  const [west, east] = [
    { id: '1', name: 'Naqara', lat: -16.8, lng: 179.98, ...fiji },
    { id: '2', name: 'Naqara', lat: -16.8, lng: -179.98, ...fiji },
  ];
  const { cityOf } = joinCities([west, east], [{ name: 'Naqara', lat: -16.8, lng: -179.995, country: 'FJ' }]);
  assert.deepEqual([...cityOf.keys()], [east]);
  const { cityOf: across } = joinCities([west], [{ name: 'Naqara', lat: -16.8, lng: -179.995, country: 'FJ' }]);
  assert.deepEqual([...across.keys()], [west]);
});
