import assert from 'node:assert/strict';
import { test } from 'node:test';
import { highlightName, typedName } from '../../../src/engine/page/highlight.ts';
import { StoredText } from '../../../src/engine/page/stored-text.ts';
import { foldWords } from '../../../src/text/fold.ts';

/** The name with its highlights in brackets, the match level, and the matched words. */
function marked(query: string, name: string, isMisspelt = false): string {
  const typed = typedName(query, foldWords(query));
  const { ranges, matchLevel, matchedWords } = highlightName(StoredText.of(name), typed, isMisspelt);
  let text = '';
  let done = 0;
  for (const [start, end] of ranges) {
    text += `${name.slice(done, start)}[${name.slice(start, end)}]`;
    done = end;
  }
  return `${text}${name.slice(done)} ${matchLevel}: ${matchedWords.join(' ')}`;
}

test('typed words are highlighted from the start of the name, word by word', () => {
  assert.equal(marked('par', 'Paris'), '[Par]is full: par');
  assert.equal(marked('New Yo', 'New York City'), '[New] [Yo]rk City full: New Yo');
  assert.equal(marked('baden baden', 'Baden-Baden'), '[Baden]-[Baden] full: baden baden');
  assert.equal(marked('new york', 'New York New York'), '[New] [York] New York full: new york');
});

test('accented names and later words are highlighted too', () => {
  assert.equal(marked('sao pa', 'São Paulo'), '[São] [Pa]ulo full: sao pa');
  assert.equal(marked('york', 'New York'), 'New [York] full: york');
  assert.equal(marked('ost', 'Östersund'), '[Öst]ersund full: ost');
});

test('words that the name lacks are not reported as matched', () => {
  assert.equal(marked('paris texas', 'Paris'), '[Paris] partial: paris');
  assert.equal(marked('parigi', 'Paris'), 'Paris none: ');
  assert.equal(marked('newport news', 'Newport'), '[Newport] partial: newport');
});

test('a letter that folds to several is highlighted as a whole, and combining marks stay with their letter', () => {
  assert.equal(marked('s', 'ßa'), '[ß]a full: s');
  assert.equal(marked('strasb', 'Straßburg'), 'Straßburg none: ');
  assert.equal(marked('strassb', 'Straßburg'), '[Straßb]urg full: strassb');
  assert.equal(marked('吉', '𠮷吉野'), '𠮷吉野 none: ');
  assert.equal(marked('𠮷', '𠮷野 𠮷'), '[𠮷]野 [𠮷] full: 𠮷');
  assert.equal(marked('oste', 'O\u0308stersund'), '[O\u0308ste]rsund full: oste');
});

test('a name that starts with the query is highlighted only there; a misspelt word may be unfinished', () => {
  assert.equal(marked('baden', 'Baden-Baden'), '[Baden]-Baden full: baden');
  assert.equal(marked('berlm', 'Berlin-Mitte', true), '[Berlin]-Mitte full: berlm');
  assert.equal(marked('fransi', 'San Francisco', true), 'San [Francisco] full: fransi');
});

test('misspelt words are highlighted whole', () => {
  assert.equal(marked('berlim', 'Berlin', true), '[Berlin] full: berlim');
  assert.equal(marked('san fransicso', 'San Francisco', true), '[San] [Francisco] full: san fransicso');
});
