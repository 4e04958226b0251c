/** Postcodes from alternateNamesV2.txt, from the file to the hits. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Engine, SearchQuery } from 'toponym-engine/engine';
import { openEngine } from 'toponym-engine/open-engine';
import { aQuery, idsOf } from '../../../../../test/support/an-engine.ts';
import { buildIndex } from '../../../src/build/build-index.ts';
import { openGeonames } from '../../../src/sources/geonames/geonames.ts';

const folder = mkdtempSync(join(tmpdir(), 'toponym-postcodes-'));
after(() => rmSync(folder, { recursive: true }));

const PLACES = [
  '2988507\tParis\tParis\tLutece\t48.85341\t2.3488\tP\tPPLC\tFR\t\t11\t75\t751\t75056\t2138551\t\t42\tEurope/Paris\t2023-01-01',
  '2996944\tLyon\tLyon\t\t45.74846\t4.84671\tP\tPPLA\tFR\t\t84\t69\t691\t69123\t522969\t\t173\tEurope/Paris\t2023-01-01',
  '2991041\tMussidan\tMussidan\t\t45.0352\t0.3646\tP\tPPL\tFR\t\t75\t24\t243\t24299\t2934\t\t50\tEurope/Paris\t2023-01-01',
  '2761369\tVienna\tVienna\tWien\t48.20849\t16.37208\tP\tPPLC\tAT\t\t09\t900\t90001\t\t1691468\t\t171\tEurope/Vienna\t2023-01-01',
  '2775259\tInnere Stadt\tInnere Stadt\t\t48.20869\t16.37\tP\tPPLX\tAT\t\t09\t900\t90001\t\t16047\t\t171\tEurope/Vienna\t2023-01-01',
  '2643743\tLondon\tLondon\t\t51.50853\t-0.12574\tP\tPPLC\tGB\t\tENG\tGLA\t\t\t8961989\t\t25\tEurope/London\t2023-01-01',
  '2759794\tAmsterdam\tAmsterdam\t\t52.37403\t4.88969\tP\tPPLC\tNL\t\t07\t0363\t\t\t741636\t\t13\tEurope/Amsterdam\t2023-01-01',
  '5946768\t100 Mile House\t100 Mile House\t\t51.64\t-121.3\tP\tPPL\tCA\t\t02\t5941\t\t\t1980\t\t930\tAmerica/Vancouver\t2023-01-01',
];
const NAMES = [
  ...['75000', '75001', '75002', '75116'].map((code) => ['2988507', 'post', code]),
  ...['69001', '69002'].map((code) => ['2996944', 'post', code]),
  ['2991041', 'post', '24400'],
  ...['1010', '1020'].map((code) => ['2761369', 'post', code]),
  ['2775259', 'post', '1010'],
  ['2643743', 'post', 'SW1A 1AA'],
  ['2643743', 'iata', 'LON'],
  ['2643743', 'fr', 'Londres'],
  ['2759794', 'post', '1012 AB', '', '', '', '1'],
];

let engine: Engine;

before(async () => {
  const dump = join(folder, 'cities.txt');
  const names = join(folder, 'alternateNamesV2.txt');
  writeFileSync(dump, `${PLACES.join('\n')}\n`);
  writeFileSync(names, NAMES.map((columns, i) => `${i + 1}\t${columns.join('\t')}\n`).join(''));
  const { chunks } = await buildIndex(await openGeonames([dump, names]));
  engine = openEngine(new Uint8Array(Buffer.concat(chunks)).buffer);
});

const search = (text: string, options: Partial<SearchQuery> = {}) => engine.search(aQuery(text, options));
const idsFor = (text: string) => idsOf(search(text));

test('a postcode finds its place and is the matched name', () => {
  const { hits, degraded } = search('75001');
  assert.deepEqual(
    hits.map(({ objectID, record, matchedName }) => [objectID, record.name, matchedName]),
    [['G2988507', 'Paris', { value: '75001', typos: 0 }]],
  );
  assert.equal(degraded, undefined);
  assert.deepEqual(idsFor('1010'), ['G2761369', 'G2775259']);
});

test('the beginning of a postcode finds its place', () => {
  assert.deepEqual(idsFor('7511'), ['G2988507']);
  assert.deepEqual(idsFor('sw1a'), ['G2643743']);
});

test('a postcode is found with and without its space, also a former one', () => {
  for (const text of ['sw1a 1aa', 'SW1A1AA']) assert.deepEqual(idsFor(text), ['G2643743'], text);
  for (const text of ['1012 ab', '1012AB']) assert.deepEqual(idsFor(text), ['G2759794'], text);
  assert.deepEqual(idsFor('1aa'), []); // only from its start
});

test('a postcode together with the name of the place finds the place', () => {
  for (const [text, id] of [
    ['75001 paris', 'G2988507'],
    ['paris 75001', 'G2988507'],
    ['75011 paris', 'G2988507'], // the place lacks this postcode
    ['1010 wien', 'G2761369'],
    ['1010 vienna, austria', 'G2761369'],
    ['69001 lyon', 'G2996944'],
    ['24400 mussidan', 'G2991041'],
    ['24400 Mussidan, France', 'G2991041'],
    ['london sw1a 1aa', 'G2643743'],
    ['1010 innere stadt', 'G2775259'],
  ] as const) {
    assert.equal(idsFor(text)[0], id, text);
  }
});

test('one typo in a postcode is another postcode', () => {
  for (const text of ['75011', '7500', '57001', '750011', '7501', '24401', 'sw1a 1ab', 'sw1b 1aa', '1012 ac']) {
    const wrong = search(text).hits.filter(({ matchedName }) => (matchedName?.typos ?? 0) > 0);
    assert.deepEqual(
      wrong.map(({ objectID }) => objectID),
      [],
      text,
    );
  }
  assert.deepEqual(idsFor('24401'), []);
  assert.deepEqual(idsFor('swla 1aa'), []); // a letter for the digit
});

test('a misspelt name next to a number is still corrected', () => {
  assert.equal(idsFor('100 mlie house')[0], 'G5946768');
  assert.equal(idsFor('69001 lyonn')[0], 'G2996944');
});

test('a postcode is never shown as the name, in any language', () => {
  for (const language of [undefined, 'en', 'de', 'fr', 'ja', 'ru', 'und']) {
    for (const [text, id] of [
      ['75001', 'G2988507'],
      ['sw1a 1aa', 'G2643743'],
      ['1012ab', 'G2759794'],
    ] as const) {
      const [hit] = search(text, { language }).hits;
      assert.equal(hit?.objectID, id);
      assert.doesNotMatch(hit.record.name + hit.label, /\d/, `${text} ${language}`);
    }
    assert.doesNotMatch(JSON.stringify(engine.get('G2643743', language)!.names), /SW1A/);
  }
});

test('postcodes do not make a place more important', async () => {
  const dump = join(folder, 'cities.txt');
  const { chunks } = await buildIndex(await openGeonames([dump]));
  const without = openEngine(new Uint8Array(Buffer.concat(chunks)).buffer);
  for (const id of ['G2988507', 'G2996944', 'G2991041', 'G2761369']) {
    assert.equal(engine.get(id)!.record.importance, without.get(id)!.record.importance, id);
  }
});
