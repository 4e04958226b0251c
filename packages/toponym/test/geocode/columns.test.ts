import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chooseColumns } from '../../src/geocode/columns.ts';

test('columns of places are guessed in the order in which people write them', () => {
  const headings = ['id', 'Country', 'State', 'Name', 'Town'];
  assert.deepEqual(chooseColumns(headings, [], false), { used: [4, 2, 1], countries: [1], isGuess: true });
});

test('columns of coordinates are guessed, as two or as one', () => {
  assert.deepEqual(chooseColumns(['Longitude', 'Latitude'], [], true).used, [1, 0]);
  assert.deepEqual(chooseColumns(['id', 'GPS position'], [], true).used, [1]);
});

test('given columns are used in their order, in any case', () => {
  const chosen = chooseColumns(['a', 'LAND', 'Ort'], ['ort', 'Land'], false);
  assert.deepEqual(chosen, { used: [2, 1], countries: [1], isGuess: false });
});

test('what cannot be found is an error with all headings', () => {
  const listed = 'The columns are: "person", "email".';
  const choose = (given: string[], isReverse: boolean) => () => chooseColumns(['person', 'email'], given, isReverse);
  assert.throws(choose(['city'], false), { message: `--column: there is no "city". ${listed}` });
  assert.throws(choose([], false), { message: `No heading looks like a place. Name one with --column. ${listed}` });
  assert.throws(choose([], true), { message: `No heading looks like coordinates. Name them with --column. ${listed}` });
  assert.throws(choose(['person', 'email', 'person'], true), {
    message: '--column: --reverse needs a latitude and a longitude, got 3 columns.',
  });
  assert.throws(choose(['person', 'Person'], true), { message: '--column: "Person" is given twice.' });
});

test('a table with coordinates and no place is told about --reverse', () => {
  const message =
    'No heading looks like a place. Name one with --column. The columns Breite and x look like coordinates: ' +
    'with --reverse, their places are found. The columns are: "x", "Breite".';
  assert.throws(() => chooseColumns(['x', 'Breite'], [], false), { message });
});
