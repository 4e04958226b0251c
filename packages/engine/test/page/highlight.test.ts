import assert from 'node:assert/strict';
import { test } from 'node:test';
import { highlightName, highlightRespelt, typedName } from '../../src/page/highlight.ts';
import { StoredText } from '../../src/page/stored-text.ts';
import { foldWords } from '../../src/text/fold.ts';

/** The name with its highlights in brackets, the match level, and the matched words. */
function marked(query: string, name: string, typos = 0, highlight = highlightName): string {
  const typed = typedName(query, foldWords(query));
  const { ranges, matchLevel, matchedWords } = highlight(StoredText.of(name), typed, typos);
  let text = '';
  let done = 0;
  for (const [start, end] of ranges) {
    text += `${name.slice(done, start)}[${name.slice(start, end)}]`;
    done = end;
  }
  return `${text}${name.slice(done)} ${matchLevel}: ${matchedWords.join(' ')}`;
}

test('typed words are highlighted word by word', () => {
  assert.equal(marked('par', 'Paris'), '[Par]is full: par');
  assert.equal(marked('New Yo', 'New York City'), '[New] [Yo]rk City full: New Yo');
  assert.equal(marked('baden baden', 'Baden-Baden'), '[Baden]-[Baden] full: baden baden');
  assert.equal(marked('newton ab', 'Newton Abbot'), '[Newton] [Ab]bot full: newton ab');
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

test('every word that matches is highlighted', () => {
  assert.equal(marked('baden', 'Baden-Baden'), '[Baden]-[Baden] full: baden');
  assert.equal(marked('baden', 'Bäden-Bäden'), '[Bäden]-[Bäden] full: baden');
  assert.equal(marked('baden bad', 'Baden-Baden'), '[Baden]-[Baden] full: baden bad');
  assert.equal(marked('new york', 'New York New York'), '[New] [York] [New] [York] full: new york');
  assert.equal(marked('ba', 'Banská Bystrica Baňa'), '[Ba]nská Bystrica [Ba]ňa full: ba');
});

test('misspelt words are highlighted whole, and may be unfinished', () => {
  assert.equal(marked('berlim', 'Berlin', 1), '[Berlin] full: berlim');
  assert.equal(marked('san fransicso', 'San Francisco', 2), '[San] [Francisco] full: san fransicso');
  assert.equal(marked('berlm', 'Berlin-Mitte', 1), '[Berlin]-Mitte full: berlm');
  assert.equal(marked('fransi', 'San Francisco', 1), 'San [Francisco] full: fransi');
});

test('a word is highlighted as misspelt only if it has no more typos than the match', () => {
  assert.equal(marked('aboaow', 'Abobo', 2), '[Abobo] full: aboaow');
  assert.equal(marked('aboaow', 'Abobo', 1), 'Abobo none: ');
});

test('abbreviated, joined and split words are highlighted', () => {
  const respelt = (query: string, name: string, typos = 0) => marked(query, name, typos, highlightRespelt);
  assert.equal(respelt('sto ni', 'Santo Niño'), '[Santo] [Niño] full: sto ni');
  assert.equal(respelt('duesse', 'Düsseldorf'), '[Düsseldorf] full: duesse');
  assert.equal(respelt('asolo', "Villa d'Asolo"), "Villa d'[Asolo] full: asolo");
  assert.equal(respelt('newyork', 'New York City', 1), '[New] [York] City full: newyork');
  assert.equal(respelt('ma lvern', 'East Malvern', 1), 'East [Malvern] full: ma lvern');
  assert.equal(respelt('weather asolo', "Villa d'Asolo"), "Villa d'[Asolo] partial: asolo");
  assert.equal(respelt('parigi', 'Paris', 1), 'Paris none: ');
});
