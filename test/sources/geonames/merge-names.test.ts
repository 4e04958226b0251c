import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mergeNames } from '../../../src/sources/geonames/merge-names.ts';

test('postcodes come after all names', () => {
  const postcode = { value: '80331', kind: 'postcode' } as const;
  const merged = mergeNames(
    [
      { value: 'München', kind: 'main' },
      { value: 'Minga', kind: 'alternate' },
    ],
    [
      { ...postcode, language: '', order: 0 },
      { ...postcode, language: '', order: 1 },
      { value: 'Munich', kind: 'alternate', language: 'en', order: 1 },
    ],
  );
  assert.deepEqual(
    merged.map(({ value }) => value),
    ['München', 'Munich', 'Minga', '80331'],
  );
});

test('a name with a language replaces the same name without one, and preferred names come first', () => {
  const tagged = (value: string, language: string, order: number) =>
    ({ value, kind: 'alternate', language, order }) as const;
  const merged = mergeNames(
    [
      { value: 'München', kind: 'main' },
      { value: 'Munich', kind: 'alternate' },
      { value: 'Minga', kind: 'alternate' },
    ],
    [tagged('Munich City', 'en', 1), tagged('Munich', 'fr', 0), tagged('Munich', 'en', 0), tagged('München', 'de', 0)],
  );
  assert.deepEqual(merged, [
    { value: 'München', kind: 'main' },
    { value: 'Munich', kind: 'alternate', language: 'fr' },
    { value: 'Munich', kind: 'alternate', language: 'en' },
    { value: 'Munich City', kind: 'alternate', language: 'en' },
    { value: 'Minga', kind: 'alternate' },
    { value: 'München', kind: 'alternate', language: 'de' },
  ]);
});
