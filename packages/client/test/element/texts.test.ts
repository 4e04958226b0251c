import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PLACE_TYPES } from 'toponym-engine/place/place';
import { ENGLISH, type SearchTexts, textsOf } from '../../src/element/texts.ts';

const LANGUAGES = 'de fr es it pt nl pl ru ar he hi ja ko zh tr uk'.split(' ');

/** Each text, with ⟨1⟩, ⟨2⟩ for what it is about. */
function filled({ types, found, ...texts }: SearchTexts): Record<string, string> {
  const others = Object.entries(texts).map(([name, text]) => [name, typeof text === 'string' ? text : text('⟨1⟩')]);
  return {
    ...Object.fromEntries(others),
    ...Object.fromEntries(PLACE_TYPES.map((type) => [type, types[type] ?? ''])),
    found: found(2, '⟨1⟩', 3),
  };
}

for (const language of LANGUAGES) {
  test(`every text exists in the language ${language}, and differs from English`, () => {
    const english = filled(ENGLISH);
    for (const [name, text] of Object.entries(filled(textsOf(language)))) {
      if (name === 'some') continue; // a part of another
      assert.ok(text.length > 0 && (name === 'village' || text !== english[name]), `${name}: ${text}`);
      assert.equal(text.includes('⟨1⟩'), english[name]?.includes('⟨1⟩'), `${name}: ${text}`);
      assert.doesNotMatch(text, /[{}|\n]/, name);
    }
    assert.match(filled(textsOf(language)).found ?? '', /2.*3|3.*2/);
  });
}

test('the texts are in the first language that is known', () => {
  const locales = ['pt-BR,en', 'xx, FR-ca', '', 'en-GB,de', 'tlh', '__proto__'].map((tags) => textsOf(tags).locale);
  assert.deepEqual(locales, ['pt', 'fr', 'en', 'en', 'en', 'en']);
});

test('the number of places is said only if not all are shown', () => {
  assert.equal(textsOf('de').found(5, 'Köln', 12), 'Orte: 5 von 12. Erster: Köln.');
  assert.equal(textsOf('de').found(5, 'Köln', 5), 'Orte: 5. Erster: Köln.');
});
