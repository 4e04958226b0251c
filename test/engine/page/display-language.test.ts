import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openEngine } from '../../../src/engine/open-engine.ts';
import { DisplayLanguage } from '../../../src/engine/page/display-language.ts';
import type { PlaceName } from '../../../src/place/place.ts';
import { anIndex, aPlace, aQuery } from '../../support/an-engine.ts';

const ids = new Map(['', 'zh', 'zh-hant', 'sr', 'sr-latn', 'fr'].map((tag, id) => [tag, id]));

test('a language falls back to its script, then to the language alone', () => {
  assert.deepEqual(new DisplayLanguage('zh-TW', ids).ids, [2, 1]);
  assert.deepEqual(new DisplayLanguage('zh-CN', ids).ids, [1]);
  assert.deepEqual(new DisplayLanguage('fr-CA', ids).ids, [5]);
  assert.deepEqual(new DisplayLanguage('sr', ids).ids, [3]);
  assert.deepEqual(new DisplayLanguage('sr-Latn', ids).ids, [4]);
  assert.deepEqual(new DisplayLanguage('sr-Latn', new Map([['sr', 1]])).ids, []);
  assert.deepEqual(new DisplayLanguage('!!', ids).ids, []);
});

test('the script of a language is recognised', () => {
  assert.ok(new DisplayLanguage('ru', ids).isInScript('Мюнхен'));
  assert.ok(!new DisplayLanguage('ru', ids).isInScript('Munich'));
  assert.ok(new DisplayLanguage('ja', ids).isInScript('ミュンヘン'));
  assert.ok(new DisplayLanguage('ja', ids).isInScript('東京'));
  assert.ok(new DisplayLanguage('ko', ids).isInScript('뮌헨'));
  assert.ok(new DisplayLanguage('zh-Hant', ids).isInScript('慕尼黑'));
  assert.ok(!new DisplayLanguage('!!', ids).isInScript('Munich'));
});

const alternateNames: PlaceName[] = [
  { value: 'München', kind: 'alternate', language: 'de' },
  { value: 'Мюнхен', kind: 'alternate', language: 'ru' },
  { value: 'Минхен', kind: 'alternate' },
  { value: 'Monachium', kind: 'alternate' },
];
const engine = openEngine(await anIndex([aPlace({ id: 'G1', name: 'Munich', alternateNames })]));
const shown = (text: string, language: string) => engine.search(aQuery(text, { language })).hits[0]?.record.name;

test('a hit shows its name in the language', () => {
  assert.equal(shown('munich', 'de'), 'München');
  assert.equal(shown('munich', 'ru'), 'Мюнхен');
  assert.equal(shown('munich', 'fr'), 'Munich');
});

test('a name that the query matched is shown if it is in the script of the language', () => {
  assert.equal(shown('Минхен', 'ru'), 'Минхен');
  assert.equal(shown('Мин', 'ru'), 'Минхен');
  assert.equal(shown('Минхен', 'de'), 'München');
});

test('of several forms of the matched name, that of the language is shown', async () => {
  const forms: PlaceName[] = [
    { value: '东京', kind: 'alternate', language: 'zh' },
    { value: '東京', kind: 'alternate', language: 'ja' },
    { value: '東亰', kind: 'alternate' },
  ];
  const tokyo = openEngine(await anIndex([aPlace({ name: 'Tokyo', alternateNames: forms })]));
  const shownFor = (text: string, language: string) => tokyo.search(aQuery(text, { language })).hits[0]?.record.name;
  assert.deepEqual([shownFor('東京', 'ja'), shownFor('东京', 'ja'), shownFor('東京', 'zh')], ['東京', '東京', '东京']);
  assert.equal(shownFor('東亰', 'ja'), '東亰');
});

test('a Latin name is shown if it is typed in full and the language has none of its own', () => {
  assert.equal(shown('Monachium', 'pl'), 'Monachium');
  assert.equal(shown('Monach', 'pl'), 'Munich');
  assert.equal(shown('Monachium', 'de'), 'München');
});
