import assert from 'node:assert/strict';
import { test } from 'node:test';
import { correctedName } from '../../../src/engine/query/degraded.ts';

const misspelt = (text: string, typos = 1) => ({ text, typos, isPrefix: false });

test('a name in a known language comes before the rare spelling that matched', () => {
  const names = { preferred: ['Mumbai'], inLanguages: () => ['Bombay', 'Mumbaj'], matched: 'Bombej' };
  assert.equal(correctedName(misspelt('bombey'), names).name, 'Bombay');
});

test('the shown name comes first if it is as close', () => {
  const names = { preferred: ['Moskwa', 'Moscow'], inLanguages: () => ['Moskva', 'Maskva'], matched: 'Maskva' };
  assert.equal(correctedName(misspelt('maskwa'), names).name, 'Moskwa');
  assert.equal(correctedName(misspelt('moskvva'), names).name, 'Moskva');
});

test('a known name may have one more typo than the rare spelling, unless the text is short', () => {
  const names = { preferred: ['San Francisco'], inLanguages: () => [], matched: 'San Fransisco' };
  assert.equal(correctedName(misspelt('san fransicso'), names).name, 'San Francisco');
  const short = { preferred: ['Rome'], inLanguages: () => [], matched: 'Romma' };
  assert.equal(correctedName(misspelt('romna'), short).name, 'Romma');
});

test('the name that matched is the last choice', () => {
  const names = { preferred: ['Cologne'], inLanguages: () => ['Köln'], matched: 'Colonia Agrippina' };
  assert.equal(correctedName(misspelt('colonia agripina'), names).name, 'Colonia Agrippina');
});
