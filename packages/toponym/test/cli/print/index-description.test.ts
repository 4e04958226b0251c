import assert from 'node:assert/strict';
import { test } from 'node:test';
import { anIndex, aPlace } from '../../../../../test/support/an-engine.ts';
import { describeIndex } from '../../../src/cli/print/index-description.ts';

test('places are counted by type and country, the highest count first', async () => {
  const index = await anIndex([
    aPlace({ type: 'town', country: 'DE' }),
    aPlace({ type: 'town', country: 'FR' }),
    aPlace({ type: 'city', country: 'FR' }),
  ]);
  const { byType, byCountry } = describeIndex(index);
  assert.deepEqual([byType.town, byType.city, byType.hamlet], [2, 1, 0]);
  assert.deepEqual(Object.entries(byCountry), [
    ['FR', 2],
    ['DE', 1],
  ]);
});

test('names without a language and names with the tag und are counted together', async () => {
  const alternateNames = [
    { value: 'Ort', kind: 'alternate', language: 'de' },
    { value: 'Platz', kind: 'alternate', language: 'und' },
    { value: 'Lieu', kind: 'alternate' },
  ] as const;
  const { byLanguage, names } = describeIndex(await anIndex([aPlace({ alternateNames })]));
  assert.deepEqual([byLanguage, names], [{ und: 3, de: 1 }, 4]);
});
