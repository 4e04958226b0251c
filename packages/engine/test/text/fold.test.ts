import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { FoldedText, fold, foldExceptMarks, foldWords } from '../../src/text/fold.ts';

const EXAMPLES: readonly (readonly [string, string, string])[] = [
  ['accents', 'São Paulo', 'sao paulo'],
  ['hyphens are spaces', 'Saint-Denis', 'saint denis'],
  ['apostrophes join', "L'Aquila N’Djamena", 'laquila ndjamena'],
  ['full stops join', 'U.S.A. St. Louis', 'usa st louis'],
  ['ligatures and sharp s', 'Œuvre Æbeltoft Gießen', 'oeuvre aebeltoft giessen'],
  ['letters with strokes', 'Łódź Tromsø Đakovo', 'lodz tromso dakovo'],
  ['Turkish dotted and dotless i', 'İstanbul Iğdır', 'istanbul igdir'],
  ['Greek accents and final sigma', 'Αθήνας', 'αθηνασ'],
  ['Cyrillic short i', 'Нью-Йорк', 'нью иорк'],
  ['Arabic and Persian letters are equal', 'أبوظبي مكة کرج', 'ابوظبي مكه كرج'],
  ['Persian and Kurdish letters for h and e are equal', 'خانۀ هەولێر', 'خانه ههولێر'],
  ['Urdu and Arabic letters are equal', 'ڈھاکے', 'دهاكي'],
  ['hamza is removed', 'صنعاء', 'صنعا'],
  ['Hebrew points', 'יְרוּשָׁלַיִם', 'ירושלים'],
  ['the Hebrew hyphen is a space', 'תל־אביב', 'תל אביב'],
  ['katakana as hiragana', 'ニューヨーク', 'にゅーよーく'],
  ['traditional and simplified Chinese characters are equal', '溫哥華 温哥华', '温哥华 温哥华'],
  ['Japanese and Chinese forms of characters are equal', '横浜 橫濱 横滨', '横滨 横滨 横滨'],
  ['full width', 'ＴＯＫＹＯ', 'tokyo'],
  ['Indic vowel signs stay', 'मुंबइ', 'मुंबइ'],
  ['long and short vowels of Hindi are equal', 'मनीला बंगलूरु', 'मनिला बंगलुरु'],
  ['the dot below and nasal signs of Hindi', 'ज़्यूरिख़ चाँद', 'ज्युरिख चांद'],
  ['zero-width characters are removed', 'تل‌آویو', fold('تلآویو')],
  ['spaces and punctuation collapse', '  a -- (b)\t/ c!  ', 'a b c'],
];

for (const [rule, text, expected] of EXAMPLES) {
  test(`folding: ${rule}`, () => assert.equal(fold(text), expected));
}

test('Hangul folds to its letters, so that an unfinished syllable is a prefix of the finished one', () => {
  assert.ok(fold('서울').startsWith(fold('서우')));
});

test('every Chinese character folds to a form that folds to itself', () => {
  for (let codePoint = 0x3400; codePoint <= 0x9fff; codePoint++) {
    const folded = fold(String.fromCodePoint(codePoint));
    assert.equal(fold(folded), folded);
  }
});

test('case and the forms of kana and Chinese characters are no marks; accents and punctuation are', () => {
  for (const plain of ['Paris', 'カガミ', 'かがみ', '溫哥華']) assert.equal(foldExceptMarks(plain), fold(plain));
  for (const marked of ['Orléans', 'Saint-Denis', '大阪・京都']) assert.notEqual(foldExceptMarks(marked), fold(marked));
});

test('folding twice changes nothing, and words joined by spaces are the folded text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => {
      const folded = fold(text);
      assert.equal(fold(folded), folded);
      assert.equal(
        foldWords(text)
          .map((word) => word.text)
          .join(' '),
        folded,
      );
    }),
    { numRuns: 500 },
  );
});

test('a word has its position in the text and whether a comma precedes it', () => {
  assert.deepEqual(foldWords(' Zürich,  CH'), [
    { text: 'zurich', start: 1, end: 7, isAfterComma: false },
    { text: 'ch', start: 10, end: 12, isAfterComma: true },
  ]);
});

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
