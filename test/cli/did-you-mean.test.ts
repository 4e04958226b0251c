import assert from 'node:assert/strict';
import { test } from 'node:test';
import { didYouMean } from '../../src/cli/did-you-mean.ts';

const WORDS = ['query', 'reverse', 'get', 'keys', 'export', 'redis', 'redis-copy'];

test('the word with the fewest typos is suggested', () => {
  for (const [typed, suggestion] of [
    ['qurey', 'query'],
    ['quer', 'query'],
    ['QUERY', 'query'],
    ['revrese', 'reverse'],
    ['gett', 'get'],
    ['kays', 'keys'],
    ['rediss', 'redis'],
    ['redis-cpoy', 'redis-copy'],
  ] as const) {
    assert.equal(didYouMean(typed, WORDS), `; did you mean ${suggestion}?`, typed);
  }
});

test('the start of a word suggests the word', () => {
  assert.equal(didYouMean('exp', WORDS), '; did you mean export?');
  assert.equal(didYouMean('--hits', ['--hits-per-page', '--json']), '; did you mean --hits-per-page?');
});

test('words that are equally close are all suggested', () => {
  assert.equal(didYouMean('tow', ['town', 'two', 'city']), '; did you mean town or two?');
});

test('nothing is suggested if no word is close', () => {
  for (const typed of ['fly', 'x', '', '-', 'ge', 'wholly-different'])
    assert.equal(didYouMean(typed, WORDS), '', typed);
});
