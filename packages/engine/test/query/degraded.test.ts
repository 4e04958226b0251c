import assert from 'node:assert/strict';
import { test } from 'node:test';
import { anEngine, aPlace, aQuery } from '../../../../test/support/an-engine.ts';

const BOMBAY = { value: 'Bombay', kind: 'alternate', language: 'fr' } as const;
const MUENCHEN = { value: 'München', kind: 'alternate', language: 'de' } as const;
const engine = await anEngine([
  aPlace({ name: 'Texarkana', country: 'US', admin1: 'US.TX', population: 30_000 }),
  aPlace({ name: 'Springfield', country: 'US', admin1: 'US.NY', population: 20_000 }),
  aPlace({ name: 'New York City', country: 'US', admin1: 'US.NY', population: 8_000_000 }),
  aPlace({ name: 'Saint Petersburg', country: 'DE', population: 5_000_000 }),
  aPlace({ name: 'Spring Valley', country: 'US', population: 40_000 }),
  aPlace({ name: 'Mumbai', country: 'GB', population: 12_000_000, alternateNames: ['Bombej', 'Bombai', BOMBAY] }),
  aPlace({ name: 'San Francisco', population: 800_000, alternateNames: ['San Fransisco'] }),
  aPlace({ name: 'Rome', population: 2_000_000, alternateNames: ['Romma'] }),
  aPlace({ name: 'Cologne', population: 1_000_000, alternateNames: ['Colonia Agrippina'] }),
  aPlace({ name: 'Munich', country: 'DE', population: 1_200_000, alternateNames: ['Munchen', MUENCHEN] }),
]);

/** The degraded query, and its changes as text. */
function degraded(text: string, language?: string): string {
  const result = engine.search(aQuery(text, { language })).degraded;
  if (result === undefined) return 'as typed';
  const { query, dropped, corrected, expanded } = result;
  const changes = [
    ...dropped.map((word) => `-${word}`),
    ...corrected.map(({ from, to }) => `${from}→${to}`),
    ...expanded.map(({ from, to }) => `${from}…${to}`),
  ];
  return `${query} (${changes.join(', ')})`;
}

test('a change replaces the words that were changed, not equal letters elsewhere', () => {
  assert.equal(degraded('texarkana texa'), 'texarkana Texas (texa…Texas)');
  assert.equal(degraded('spring vally spring'), 'spring Valley spring (vally→Valley)');
});

test('words are replaced whatever separates them', () => {
  assert.equal(degraded('springfield,  new   yok'), 'springfield New York (new   yok→New York)');
  assert.equal(degraded('spring   val ey, usa'), 'Spring Valley usa (spring   val ey→Spring Valley)');
});

test('a query is corrected to a name that people know, not to a rare spelling', () => {
  assert.equal(degraded('bombey'), 'Bombay (bombey→Bombay)');
  assert.equal(degraded('mumbay'), 'Mumbai (mumbay→Mumbai)');
  assert.equal(degraded('muenchn'), 'München (muenchn→München)');
  assert.equal(degraded('muncihn', 'de'), 'München (muncihn→München)');
});

test('a known name may have one more typo than the name that matched, unless the text is short', () => {
  assert.equal(degraded('san fransicso'), 'san Francisco (fransicso→Francisco)');
  assert.equal(degraded('romna'), 'Romma (romna→Romma)');
  assert.equal(degraded('colonia agripina'), 'colonia Agrippina (agripina→Agrippina)');
});

test('each misspelt word is corrected, and an abbreviation is not', () => {
  assert.equal(degraded('sprin valey'), 'Spring Valley (sprin→Spring, valey→Valley)');
  assert.equal(degraded('st petersbrg'), 'st Petersburg (petersbrg→Petersburg)');
  assert.equal(degraded('st peters'), 'as typed');
});

test('a misspelt region is corrected to the region that it names', () => {
  assert.equal(degraded('munich alemagne'), 'munich Germany (alemagne→Germany)');
  assert.equal(degraded('munich alemagne', 'fr'), 'munich Allemagne (alemagne→Allemagne)');
  assert.equal(degraded('munich germny', 'ja'), 'munich Germany (germny→Germany)');
  assert.equal(degraded('munich, germa', 'ja'), 'munich Germany (germa…Germany)');
});

test('an unfinished alias of a region is expanded, not corrected', () => {
  assert.equal(degraded('munich, allema'), 'munich Germany (allema…Germany)');
});

test('of words matched one by one, each is kept, corrected or dropped', () => {
  assert.equal(degraded('pizza in new yrok'), 'new York (-pizza, -in, yrok→York)');
  assert.equal(
    degraded('texarkanna hospital texass'),
    'Texarkana Texas (-hospital, texarkanna→Texarkana, texass→Texas)',
  );
  assert.equal(degraded('hotels newyork hotels'), 'New York (-hotels, -hotels, newyork→New York)');
  assert.equal(degraded('city york germny new'), 'city york new (-germny)');
});
