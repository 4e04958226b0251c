import assert from 'node:assert/strict';
import { test } from 'node:test';
import { anEngine, anIndex, aPlace, aQuery } from '../../../../test/support/an-engine.ts';
import { openEngine } from '../../src/open-engine.ts';
import { DisplayLanguage } from '../../src/page/display-language.ts';
import type { PlaceName } from '../../src/place/place.ts';

const ids = new Map(['', 'zh', 'zh-hant', 'sr', 'sr-latn', 'fr'].map((tag, id) => [tag, id]));

test('a language falls back to its script, then to the language alone', () => {
  assert.deepEqual(new DisplayLanguage('zh-TW', ids).ids, [2, 1]);
  assert.deepEqual(new DisplayLanguage('zh-CN', ids).ids, [1, 2]);
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
const engine = openEngine(await anIndex([aPlace({ id: 'G1', name: 'Munich', country: 'DE', alternateNames })]));

/** The name of the first hit, and the name that matched, if it is another one. */
function shown(text: string, language?: string): (string | undefined)[] {
  const [hit] = engine.search(aQuery(text, { language })).hits;
  return [hit?.record.name, hit?.matchedName?.value];
}

test('a hit shows its name in the language, whatever name matched', () => {
  assert.deepEqual(shown('munich', 'de'), ['München', 'Munich']);
  assert.deepEqual(shown('munich', 'ru'), ['Мюнхен', 'Munich']);
  assert.deepEqual(shown('Минхен', 'ru'), ['Мюнхен', 'Минхен']);
  assert.deepEqual(shown('Мин', 'ru'), ['Мюнхен', 'Минхен']);
  assert.deepEqual(shown('Monachium', 'de'), ['München', 'Monachium']);
  assert.deepEqual(shown('münchen', 'de'), ['München', undefined]);
});

test('English, and calls without a language, get the usual name, whatever name matched', () => {
  for (const language of ['en', 'en-GB', undefined]) {
    assert.deepEqual(shown('münchen', language), ['Munich', 'München']);
    assert.deepEqual(shown('Monachium', language), ['Munich', 'Monachium']);
  }
});

test('a language in Latin letters that lacks a name gets the local one, unless the main name is local', async () => {
  assert.deepEqual(shown('munich', 'sv'), ['München', 'Munich']);
  assert.deepEqual(shown('Monachium', 'sv'), ['München', 'Monachium']);
  const cologne = { value: 'Cologne', kind: 'alternate', language: 'en' } as const;
  const coellen = { value: 'Cöllen', kind: 'alternate', language: 'de' } as const;
  const köln = await anEngine([aPlace({ name: 'Köln', country: 'DE', alternateNames: [coellen, cologne] })]);
  assert.equal(köln.search(aQuery('cologne', { language: 'sv' })).hits[0]?.record.name, 'Köln');
});

test('a language in another script that lacks a name gets the matched name in its script', () => {
  assert.deepEqual(shown('Минхен', 'bg'), ['Минхен', undefined]);
  assert.deepEqual(shown('Мин', 'bg'), ['Минхен', undefined]);
  assert.deepEqual(shown('munich', 'bg'), ['Munich', undefined]);
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
  assert.equal(shownFor('東亰', 'ja'), '東京');
});

test('Chinese names are shown in the characters of the language', async () => {
  const names = (value: string, language: string) => [{ value, kind: 'alternate', language } as const];
  const chinese = await anEngine([
    aPlace({ id: 'G1', name: 'Changchun', alternateNames: names('长春', 'zh') }),
    aPlace({ id: 'G2', name: 'Vancouver', alternateNames: names('溫哥華', 'zh') }),
    aPlace({ id: 'G3', name: 'Rome', alternateNames: names('羅馬', 'zh-Hant') }),
    aPlace({ id: 'G4', name: 'Madrid', alternateNames: names('马德里', 'zh-CN') }),
  ]);
  const namesIn = (language: string) => ['G1', 'G2', 'G3'].map((id) => chinese.get(id, language)?.record.name);
  for (const tag of ['zh-TW', 'zh-Hant', 'zh-HK']) assert.deepEqual(namesIn(tag), ['長春', '溫哥華', '羅馬'], tag);
  assert.deepEqual(namesIn('zh'), ['长春', '溫哥華', '羅馬']); // as they are known
  for (const tag of ['zh-CN', 'zh-Hans']) assert.deepEqual(namesIn(tag), ['长春', '温哥华', '罗马'], tag);
  assert.equal(chinese.get('G4', 'zh-CN')?.record.name, '马德里');
  const [hit] = chinese.search(aQuery('长春', { language: 'zh-TW' })).hits;
  assert.deepEqual([hit?.label, hit?.matchedName], ['長春, 法國', undefined]);
});

test('nicknames are not shown, and Norwegian has the names of its two written forms', async () => {
  const names = [
    { value: 'KL', kind: 'alternate', language: 'mul' },
    { value: 'Kuala Lumpur nb', kind: 'alternate', language: 'nb' },
  ] as const;
  const engine = await anEngine([aPlace({ id: 'G1', name: 'Kuala Lumpur', alternateNames: names })]);
  const nameIn = (language: string) => engine.get('G1', language)?.record.name;
  assert.equal(nameIn('mul'), 'Kuala Lumpur');
  for (const tag of ['nb', 'no', 'nn', 'no-NO']) assert.equal(nameIn(tag), 'Kuala Lumpur nb', tag);
});
