import assert from 'node:assert/strict';
import { test } from 'node:test';
import { didYouMean } from '../../src/errors/did-you-mean.ts';

const WORDS = ['query', 'reverse', 'get', 'keys', 'export', 'redis', 'redis-copy', '--hits-per-page', 'town', 'two'];

test('the words with the fewest typos are suggested, or else those that begin with the word', () => {
  for (const [typed, suggestion] of [
    ['qurey', 'query'],
    ['quer', 'query'],
    ['QUERY', 'query'],
    ['revrese', 'reverse'],
    ['gett', 'get'],
    ['kays', 'keys'],
    ['rediss', 'redis'],
    ['redis-cpoy', 'redis-copy'],
    ['exp', 'export'],
    ['--hits', '--hits-per-page'],
    ['tow', 'town or two'],
  ] as const) {
    assert.equal(didYouMean(typed, WORDS), `; did you mean ${suggestion}?`, typed);
  }
  for (const typed of ['fly', 'x', '', '-', 'ge', 'wholly-different'])
    assert.equal(didYouMean(typed, WORDS), '', typed);
});
