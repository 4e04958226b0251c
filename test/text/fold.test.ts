import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { fold, foldExceptMarks, foldWords } from '../../src/text/fold.ts';

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
