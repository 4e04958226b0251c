import assert from 'node:assert/strict';
import { test } from 'node:test';
import { highlightName, typedName } from '../../src/engine/highlight.ts';
import { StoredText } from '../../src/engine/stored-text.ts';
import { foldWords } from '../../src/text/fold.ts';

/** The name with what is marked in brackets, how it matched, and by which words. */
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

test('what was typed is marked from the beginning of the name on, word by word', () => {
  assert.equal(marked('par', 'Paris'), '[Par]is full: par');
  assert.equal(marked('New Yo', 'New York City'), '[New] [Yo]rk City full: New Yo');
  assert.equal(marked('baden baden', 'Baden-Baden'), '[Baden]-[Baden] full: baden baden');
  assert.equal(marked('new york', 'New York New York'), '[New] [York] New York full: new york');
});

test('names written with accents, and later words, are marked too', () => {
  assert.equal(marked('sao pa', 'São Paulo'), '[São] [Pa]ulo full: sao pa');
  assert.equal(marked('york', 'New York'), 'New [York] full: york');
  assert.equal(marked('ost', 'Östersund'), '[Öst]ersund full: ost');
});

test('words that the name has not are not told as matched', () => {
  assert.equal(marked('paris texas', 'Paris'), '[Paris] partial: paris');
  assert.equal(marked('parigi', 'Paris'), 'Paris none: ');
  assert.equal(marked('newport news', 'Newport'), '[Newport] partial: newport');
});

test('misspelt words are marked whole', () => {
  assert.equal(marked('berlim', 'Berlin', true), '[Berlin] full: berlim');
  assert.equal(marked('san fransicso', 'San Francisco', true), '[San] [Francisco] full: san fransicso');
});
