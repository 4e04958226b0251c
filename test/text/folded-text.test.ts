import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { FoldedText, foldWords } from '../../src/text/fold.ts';

const folded = new FoldedText();

/** The words of a text in the middle of other bytes, in the form of `foldWords`. */
function wordsOf(text: string): { text: string; start: number; end: number }[] {
  const bytes = Buffer.from(`Zürich${text}東京`);
  folded.foldBytes(bytes, Buffer.byteLength('Zürich'), bytes.length - Buffer.byteLength('東京'));
  const { letters, starts, ends, wordOffsets } = folded;
  return Array.from({ length: folded.wordCount }, (_, word) => {
    const [from, to] = [wordOffsets[word]!, wordOffsets[word + 1]!];
    return { text: String.fromCharCode(...letters.subarray(from, to)), start: starts[from]!, end: ends[to - 1]! };
  });
}

function expected(text: string): { text: string; start: number; end: number }[] {
  return foldWords(text).map(({ text, start, end }) => ({ text, start, end }));
}

test('folding bytes gives the same words as folding a string', () => {
  const names = [
    '',
    ' -, ',
    "Saint-Denis (L'Île)",
    'Straße',
    'São Paulo',
    'Cöln',
    'ﷺ ﷺ',
    '𠮷野家 𝐀b',
    'Ōsaka/大阪',
    'カタカナ',
  ];
  for (const name of names) assert.deepEqual(wordsOf(name), expected(name));
  const unit = fc.constantFrom('a', 'B', '9', ' ', '-', ',', "'", '.', 'ß', 'é', 'e\u0301', '東', '𝄞', '𠮷', 'ﷺ', 'ï');
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit }), fc.string({ unit: 'grapheme' })), (text) => {
      assert.deepEqual(wordsOf(text), expected(text));
    }),
  );
});

test('one FoldedText folds texts of any length in turn', () => {
  const long = 'ﷺ, Straße '.repeat(2000);
  for (const text of [long, 'a', long + long]) assert.deepEqual(wordsOf(text), expected(text));
});

test('characters that fold to many letters fit', () => {
  const many = 'ﷺ'.repeat(85);
  const folded = new FoldedText();
  folded.foldBytes(Buffer.from(many), 0, Buffer.byteLength(many));
  assert.equal(String.fromCharCode(...folded.letters.subarray(0, folded.wordOffsets[1])), foldWords(many)[0]?.text);
});

test('texts are equal if their words are equal', () => {
  const folds = (text: string) => {
    const folded = new FoldedText();
    folded.foldBytes(Buffer.from(text), 0, Buffer.byteLength(text));
    return folded;
  };
  const isSame = (a: string, b: string) => folds(a).equals(folds(b));
  assert.deepEqual(
    [isSame('Saint-Denis', 'saint denis'), isSame("L'Île", 'lile'), isSame('', '- ')],
    [true, true, true],
  );
  assert.deepEqual([isSame('Saintdenis', 'saint denis'), isSame('sa intdenis', 'saint denis')], [false, false]);
  assert.deepEqual([isSame('Paris', 'Parin'), isSame('Paris', 'Par')], [false, false]);
});
