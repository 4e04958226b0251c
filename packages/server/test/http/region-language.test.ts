import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openEngine } from 'toponym-engine/open-engine';
import { aLanguageIndex } from '../../../../test/support/language-index.ts';
import { anApp } from './an-app.ts';

const engine = openEngine(await aLanguageIndex());

test('responses have labels, divisions and the matched region in the language', async (t) => {
  const { post } = anApp(t, { engine: () => engine });
  const german = (await post('query', 'query=roth&language=de')).json();
  assert.equal(german.hits[0].label, 'Roth, Bayern, Deutschland');
  assert.deepEqual(german.hits[0].administrative, ['Bayern']);
  assert.deepEqual(german.hits[0].county, ['Mittelfranken']);
  const french = (await post('query', 'query=bavaria&language=fr')).json();
  assert.deepEqual(french.matchedRegion, { name: 'Bavière', code: 'DE.02', level: 1 });
  assert.equal(french.hits[0].label, 'Nuremberg, Allemagne');
  const japanese = (await post('id', 'objectID=G4717560&language=ja')).json();
  assert.equal(japanese.label, 'Paris, テキサス州, アメリカ合衆国');
  const nearest = (await post('reverse', 'aroundLatLng=49.45,11.08&hitsPerPage=1&language=zh-TW')).json();
  assert.deepEqual(nearest.hits[0].administrative, ['巴伐利亞']);
});

test('a division without a name in the language keeps its usual name', async (t) => {
  const { post } = anApp(t, { engine: () => engine });
  for (const language of ['', '&language=sw', '&language=xx', '&language=!!']) {
    const { hits } = (await post('query', `query=paris${language}`)).json();
    assert.deepEqual([hits[0].administrative, hits[0].county], [['Texas'], ['Lamar County']], language);
  }
});
