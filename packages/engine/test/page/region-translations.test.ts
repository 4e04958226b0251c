import assert from 'node:assert/strict';
import { test } from 'node:test';
import { verifyIndex } from 'toponym-files/index-file';
import { createRegions } from 'toponym-gazetteer/sources/regions/regions';
import { anEngine, anIndex, anOverlaidIndex, aPlace, aQuery } from '../../../../test/support/an-engine.ts';
import { aLanguageIndex } from '../../../../test/support/language-index.ts';
import { openEngine } from '../../src/open-engine.ts';

const index = await aLanguageIndex();
const engine = openEngine(index);

function regionsOf(text: string, language?: string) {
  const { administrative, county, country } = engine.search(aQuery(text, { language })).hits[0]!.record.regions;
  return [...county, ...administrative, country];
}

function labelsOf(text: string, language?: string): string[] {
  return engine.search(aQuery(text, { language })).hits.map(({ label }) => label);
}

test('an index with translations passes the checks', () => {
  verifyIndex(index);
});

test('divisions are shown in the language, or else by their usual name', () => {
  assert.deepEqual(regionsOf('nürnberg', 'de'), ['Mittelfranken', 'Bayern', 'Deutschland']);
  assert.deepEqual(regionsOf('nürnberg', 'fr'), ['Moyenne-Franconie', 'Bavière', 'Allemagne']);
  assert.deepEqual(regionsOf('nürnberg', 'it'), ['Regierungsbezirk Mittelfranken', 'Baviera', 'Germania']);
  assert.deepEqual(regionsOf('nürnberg', 'en'), ['Regierungsbezirk Mittelfranken', 'Bavaria', 'Germany']);
  assert.deepEqual(regionsOf('nürnberg', 'sw'), ['Regierungsbezirk Mittelfranken', 'Bavaria', 'Ujerumani']);
  assert.deepEqual(regionsOf('nürnberg'), ['Regierungsbezirk Mittelfranken', 'Bavaria', 'Germany']);
  assert.deepEqual(regionsOf('paris', 'nl'), ['Lamar County', 'Texas', 'Verenigde Staten']);
});

test('a tag falls back as for the names of places', () => {
  assert.equal(regionsOf('nürnberg', 'de-AT')[1], 'Bayern');
  assert.equal(regionsOf('nürnberg', 'zh-TW')[1], '巴伐利亞');
  assert.equal(regionsOf('nürnberg', 'zh-HK')[1], '巴伐利亞');
  assert.equal(regionsOf('nürnberg', 'zh')[1], '巴伐利亚');
  assert.equal(regionsOf('nürnberg', 'sr-Latn')[1], 'Bavaria');
  assert.equal(regionsOf('nürnberg', '!!')[1], 'Bavaria');
});

test('labels have the divisions in the language', () => {
  assert.deepEqual(labelsOf('paris texas', 'ja'), ['Paris, テキサス州, アメリカ合衆国']);
  assert.deepEqual(labelsOf('roth', 'de'), ['Roth, Bayern, Deutschland', 'Roth, Rheinland-Pfalz, Deutschland']);
  assert.deepEqual(labelsOf('roth', 'fr'), ['Roth, Bavière, Allemagne', 'Roth, Rhénanie-Palatinat, Allemagne']);
  assert.deepEqual(labelsOf('roth'), ['Roth, Bavaria, Germany', 'Roth, Rheinland-Pfalz, Germany']);
});

test('reverse lookups and single records have the divisions in the language', () => {
  const at = { lat: 49.45, lng: 11.08 };
  assert.deepEqual(engine.reverse({ at, limit: 1, language: 'fr' }).hits[0]?.record.regions.administrative, [
    'Bavière',
  ]);
  assert.deepEqual(engine.get('G2861650', 'fr')?.record.regions.administrative, ['Bavière']);
});

test('a division is found by its name in any language', () => {
  for (const text of [
    'nürnberg bayern',
    'roth baviera',
    'roth moyenne-franconie',
    'ニュルンベルク バイエルン州',
    'roth 巴伐利亞',
  ]) {
    const { hits, degraded } = engine.search(aQuery(text));
    assert.deepEqual([hits[0]?.record.regions.administrative, degraded], [['Bavaria'], undefined], text);
  }
});

test('the matched region has its name in the language', () => {
  const matchedRegion = (text: string, language?: string) => engine.search(aQuery(text, { language })).matchedRegion;
  assert.deepEqual(matchedRegion('bavaria', 'de'), { name: 'Bayern', code: 'DE.02', level: 1 });
  assert.deepEqual(matchedRegion('bayern'), { name: 'Bavaria', code: 'DE.02', level: 1 });
  assert.deepEqual(matchedRegion('germany', 'fr'), { name: 'Allemagne', code: 'DE', level: 0 });
});

test('an unfinished or misspelt division is replaced by the name that it begins or resembles', () => {
  const degradedTo = (text: string, language?: string) => engine.search(aQuery(text, { language })).degraded?.query;
  assert.equal(degradedTo('nürnberg baye', 'de'), 'nürnberg Bayern');
  assert.equal(degradedTo('nürnberg bavièr', 'fr'), 'nürnberg Bavière');
  assert.equal(degradedTo('nürnberg bavari', 'de'), 'nürnberg Bavaria');
  assert.equal(degradedTo('nürnberg bayren', 'de'), 'nürnberg Bayern');
  assert.equal(degradedTo('nürnberg bavari'), 'nürnberg Bavaria');
});

test('places of an overlay have the divisions of the index in the language', async () => {
  const change = { change: 'G2861650', population: 520_000 };
  const add = { id: 'L1', name: 'Roth am Neubau', lat: 49.2, lng: 11, country: 'DE', admin1: 'Bavaria' };
  const changedEngine = openEngine(await anOverlaidIndex(index, change, { add }));
  const changed = changedEngine.get('G2861650', 'fr')?.record.regions;
  assert.deepEqual([changed?.administrative, changed?.county], [['Bavière'], ['Moyenne-Franconie']]);
  assert.deepEqual(changedEngine.get('L1', 'de')?.record.regions.administrative, ['Bayern']);
  const found = changedEngine.search(aQuery('roth bayern', { language: 'de' }));
  assert.deepEqual(
    found.hits.map(({ record }) => [record.objectID, record.regions.administrative[0]]),
    [
      ['G2844265', 'Bayern'],
      ['L1', 'Bayern'],
    ],
  );
});

test('an index without translations shows usual names in every language', async () => {
  const plain = await anEngine([aPlace({ name: 'Austin', country: 'US', admin1: 'US.TX' })]);
  const [hit] = plain.search(aQuery('austin', { language: 'ja' })).hits;
  assert.equal(hit?.label, 'Austin, Texas, アメリカ合衆国');
});

test('a division with the name of the place or its city is left out of the label, also if translations differ', async () => {
  const names = (...values: string[]) => [
    { value: values[0]!, kind: 'alternate', language: 'ru' } as const,
    { value: values[1]!, kind: 'alternate', language: 'zh' } as const,
  ];
  const inBeijing = { country: 'CN', admin1: 'CN.22', lat: 39.9, lng: 116.4 };
  const places = [
    aPlace({ id: 'G1', name: 'Beijing', population: 18_000_000, alternateNames: names('Пекин', '北京'), ...inBeijing }),
    aPlace({
      id: 'G2',
      name: 'Sanlitun',
      type: 'suburban area',
      alternateNames: names('Саньлитунь', '三里屯'),
      ...inBeijing,
    }),
    aPlace({
      id: 'G3',
      name: 'Changping',
      lat: 41,
      alternateNames: names('Чанпин', '昌平'),
      country: 'CN',
      admin1: 'CN.22',
    }),
  ];
  const regions = createRegions([{ key: 'CN.22', name: 'Beijing' }]);
  const countries = [{ code: 'CN', name: 'China', aliases: [] }];
  const chinese = openEngine(await anIndex(places, { countries, regions }));
  const labelsIn = (language?: string) => places.map(({ id }) => chinese.get(id, language)?.label);
  assert.deepEqual(labelsIn(), ['Beijing, China', 'Sanlitun, Beijing, China', 'Changping, Beijing, China']);
  assert.deepEqual(labelsIn('ru'), ['Пекин, Китай', 'Саньлитунь, Пекин, Китай', 'Чанпин, Пекин, Китай']);
  assert.deepEqual(labelsIn('zh'), ['北京, 中国', '三里屯, 北京, 中国', '昌平, 北京市, 中国']);
});
