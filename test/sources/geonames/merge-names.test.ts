import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mergeNames } from '../../../src/sources/geonames/merge-names.ts';

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
