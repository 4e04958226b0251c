import assert from 'node:assert/strict';
import { test } from 'node:test';
import { markMatches } from '../../../src/cli/print/place-text.ts';

/** The marked text, with brackets around each match. */
function marked(shown: string, html: string): string {
  const { spans } = markMatches(shown, html);
  return spans.map(({ text, style }) => (style === 'match' && text !== '' ? `[${text}]` : text)).join('');
}

test('the matched parts of the name are marked in the label', () => {
  assert.equal(marked('Springfield, Illinois', '<em>Springf</em>ield'), '[Springf]ield, Illinois');
  assert.equal(marked('Saint-Malo, France', '<em>Saint</em>-<em>Ma</em>lo'), '[Saint]-[Ma]lo, France');
  assert.equal(marked('Nowhere', 'Nowhere'), 'Nowhere');
});

test('a shortened label is marked as far as it goes', () => {
  assert.equal(marked('Spring…', '<em>Springf</em>ield'), '[Spring]…');
});

test('escaped characters of the name are those of the label', () => {
  assert.equal(marked("L'Isle & <b>", '<em>L&#39;Isle</em> &amp; &lt;b&gt;'), "[L'Isle] & <b>");
  assert.equal(marked('A\\x1b[31mB', '<em>A\u001b[31m</em>B'), '[A\\x1b[31m]B');
});
