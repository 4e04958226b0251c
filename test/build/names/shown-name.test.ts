import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openEngine } from '../../../src/engine/open-engine.ts';
import { openIndex } from '../../../src/index-file/open-index.ts';
import { verifyStructure } from '../../../src/index-file/verify-structure.ts';
import type { PlaceName } from '../../../src/place/place.ts';
import { anIndex, aPlace, aQuery } from '../../support/an-engine.ts';

/** The name shown without a language, and the name that matched, if it is another one. */
async function shown(country: string, main: string, names: readonly PlaceName[], text = main) {
  const index = await anIndex([aPlace({ name: main, country, alternateNames: names })]);
  verifyStructure(openIndex(index));
  const [hit] = openEngine(index).search(aQuery(text)).hits;
  return [hit?.record.name, hit?.label.split(', ')[0], hit?.matchedName?.value];
}

const alternate = (value: string, language?: string): PlaceName =>
  language === undefined ? { value, kind: 'alternate' } : { value, kind: 'alternate', language };

test('in countries where people know the English name, it is shown and the main name still finds the place', async () => {
  const names = [alternate('Golway'), alternate('Galway', 'en')];
  assert.deepEqual(await shown('IE', 'Gaillimh', names, 'galway'), ['Galway', 'Galway', undefined]);
  assert.deepEqual(await shown('IE', 'Gaillimh', names), ['Galway', 'Galway', 'Gaillimh']);
  assert.deepEqual(await shown('DE', 'Köln', [alternate('Cologne', 'en')], 'cologne'), ['Köln', 'Köln', 'Cologne']);
});

test('a transcription is shown without its marks', async () => {
  assert.deepEqual(await shown('IN', 'Hyderābād', [alternate('Hyderabad')]), ['Hyderabad', 'Hyderabad', undefined]);
  assert.deepEqual(
    await shown('EG', 'Al Manşūrah', [alternate('Al Mansurah')], 'mansurah').then(([name]) => name),
    'Al Mansurah',
  );
  assert.deepEqual(
    await shown('GR', 'Thessaloníki', [alternate('Thessaloniki')]).then(([name]) => name),
    'Thessaloniki',
  );
});

test('a name in a country with Latin letters keeps its accents, and so does one without another form', async () => {
  assert.equal((await shown('LV', 'Rēzekne', [alternate('Rezekne')]))[0], 'Rēzekne');
  assert.equal((await shown('MA', 'Fès', [alternate('Fes')]))[0], 'Fès');
  assert.equal((await shown('IN', 'Hyderābād', []))[0], 'Hyderābād');
});
