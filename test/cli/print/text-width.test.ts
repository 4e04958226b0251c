import assert from 'node:assert/strict';
import { test } from 'node:test';
import { displayWidth, fillLines, isUtf8Terminal, shorten, wrapWords } from '../../../src/cli/print/text-width.ts';

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

test('parts are joined into lines without being split', () => {
  assert.deepEqual(fillLines(['aa', 'bb', 'cccccccc', 'd'], ' ', 5).map(String), ['aa bb', 'cccccccc', 'd']);
  assert.deepEqual(fillLines([], ' ', 5), []);
});

test('a command after a colon at the end of a text stays whole', () => {
  const text = 'There is newer data; to get it: npx toponym update --state x';
  assert.deepEqual(wrapWords(text, 40), ['There is newer data; to get it:', 'npx toponym update --state x']);
  assert.deepEqual(wrapWords(text, 80), [text]);
  assert.deepEqual(wrapWords('Run: chmod 600 /a/b', 12), ['Run:', 'chmod 600 /a/b']);
});

test('the locale decides whether the terminal shows UTF-8', () => {
  assert.equal(isUtf8Terminal({ LANG: 'en_US.UTF-8' }, 'linux'), true);
  assert.equal(isUtf8Terminal({ LANG: 'en_US.utf8', LC_ALL: '' }, 'linux'), true);
  assert.equal(isUtf8Terminal({ LANG: 'en_US.UTF-8', LC_ALL: 'C' }, 'linux'), false);
  assert.equal(isUtf8Terminal({}, 'linux'), false);
  assert.equal(isUtf8Terminal({}, 'win32'), true);
});
