import assert from 'node:assert/strict';
import { test } from 'node:test';
import { flagOf, highlightParts, percentOf, shortNumber, typedLength, waitText } from '../../src/element/hit-text.ts';

test('a highlighted name is split into its parts, and its escapes are undone once', () => {
  assert.deepEqual(highlightParts('<em>Par</em>is &amp;lt; &lt;em&gt;'), ['', 'Par', 'is &lt; <em>']);
  assert.deepEqual(highlightParts('N&#39;Djamena'), ["N'Djamena"]);
});

test('a flag is two regional indicators, and what is no country has none', () => {
  assert.equal(flagOf('fr'), '🇫🇷');
  assert.equal(flagOf(''), '');
});

test('a confidence is never shown as certain or impossible', () => {
  assert.deepEqual([0.0001, 0.176, 0.994, 0.999].map(percentOf), ['<1%', '18%', '99%', '>99%']);
});

test('a name was typed only if the text has its characters', () => {
  const lengths = (
    [
      ['München', 'münch', 5],
      ['Londres', 'LONDRES, fr', 7],
      ['東京', '東', 1],
      ['Parī', 'pari', 0],
      ['东京', '東京', 0],
      ['Londres', '', 0],
    ] as const
  ).map(([name, typed, length]) => [name, typed, typedLength(name, typed), length]);
  for (const [name, typed, actual, expected] of lengths) assert.equal(actual, expected, `${name}: ${typed}`);
});

test('a population is short, in the language of the element', () => {
  assert.equal(shortNumber(2_138_551, 'en'), '2.14M');
  assert.equal(shortNumber(2_138_551, 'de'), '2,14\u00a0Mio.');
});

test('a wait is in seconds, then minutes, then hours', () => {
  const waits = [1, 99, 100, 5999, 86_400].map((seconds) => waitText(seconds));
  assert.deepEqual(waits, ['1 sec', '99 sec', '2 min', '100 min', '24 hr']);
  assert.equal(waitText(30, 'ko'), '30초');
});
