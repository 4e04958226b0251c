import assert from 'node:assert/strict';
import { test } from 'node:test';
import { displayWidth, shorten } from '../../../src/cli/print/display-width.ts';

test('wide characters take two columns, and combining marks none', () => {
  for (const [text, width] of [
    ['Kiel', 4],
    ['東京', 4],
    ['서울', 4],
    ['𠮷野', 4],
    ['ｱｲ', 2],
    ['Ａ', 2],
    ['Zu\u0308rich', 6],
    ['e\u0301\u0327', 1],
    ['\u0301', 0],
    ['กรุงเทพ', 6],
    ['दिल्ली', 5], // as in glibc, whose wcwidth counts spacing marks
    ['a\u200bb', 2],
    ['🗼', 2],
    ['🇯🇵', 2],
    ['👨‍👩‍👧', 2],
    ['', 0],
  ] as const) {
    assert.equal(displayWidth(text), width, JSON.stringify(text));
  }
});

test('a shortened text fits and splits no character', () => {
  assert.equal(shorten('Springfield', 11), 'Springfield');
  assert.equal(shorten('Springfield', 7), 'Spring…');
  assert.equal(shorten('東京都', 5), '東京…');
  assert.equal(shorten('東京都', 4), '東…');
  assert.equal(shorten('Zu\u0308rich', 3), 'Zu\u0308…');
  assert.equal(shorten('New York', 5), 'New…');
});
