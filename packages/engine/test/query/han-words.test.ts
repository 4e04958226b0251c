import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Lexicon, splitHanWords } from '../../src/query/han-words.ts';
import { fold, foldWords } from '../../src/text/fold.ts';

const names = ['横浜', '苏州', '深圳市', '江苏路', '中区'].map(fold);
const regions = ['神奈川県', '江苏', '江苏省', '中国', '广东省'].map(fold);
const lexicon: Lexicon = {
  startsName: (text) => names.some((name) => name.startsWith(text)),
  isRegion: (text) => regions.includes(text),
};

/** The words of a query after splitting: as typed, and as looked up in the index. */
function split(query: string): string[] {
  return splitHanWords(foldWords(query), lexicon).map(({ text, start, end }) => `${query.slice(start, end)} ${text}`);
}

function asFolded(...words: readonly string[]): string[] {
  return words.map((word) => `${word} ${fold(word)}`);
}

test('a region and a name that are written together are split, in both orders', () => {
  assert.deepEqual(split('江苏省苏州'), asFolded('江苏省', '苏州'));
  assert.deepEqual(split('江蘇省蘇州'), asFolded('江蘇省', '蘇州'));
  assert.deepEqual(split('苏州江苏'), asFolded('苏州', '江苏'));
});

test('several regions may precede the name', () => {
  assert.deepEqual(split('中国广东省深圳市'), asFolded('中国', '广东省', '深圳市'));
});

test('the name may be unfinished', () => {
  assert.deepEqual(split('广东省深'), asFolded('广东省', '深'));
});

test('a suffix that no name has is left out of the lookup', () => {
  assert.deepEqual(split('横浜市'), ['横浜市 横滨']);
  assert.deepEqual(split('神奈川県横浜市'), ['神奈川県 神奈川县', '横浜市 横滨']);
  assert.deepEqual(split('深圳市'), asFolded('深圳市'));
});

test('the start of a name and a whole region are not split', () => {
  assert.deepEqual(split('江苏路'), asFolded('江苏路'));
  assert.deepEqual(split('江苏省'), asFolded('江苏省'));
});

test('what follows a name becomes a word of its own', () => {
  assert.deepEqual(split('横浜市中区'), ['横浜市 横滨', '中区 中区']);
  assert.deepEqual(split('深圳市龙岗'), asFolded('深圳市', '龙岗'));
});

test('unknown words and words in other scripts stay whole', () => {
  assert.deepEqual(split('龙岗 jiangsu'), asFolded('龙岗', 'jiangsu'));
});

test('a comma before a word stays before its first part', () => {
  const words = splitHanWords(foldWords('中国，江苏省苏州'), lexicon);
  assert.deepEqual(
    words.map(({ isAfterComma }) => isAfterComma),
    [false, true, false],
  );
});
