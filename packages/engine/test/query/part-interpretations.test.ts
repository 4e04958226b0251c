import assert from 'node:assert/strict';
import { test } from 'node:test';
import { anIndex, aPlace } from '../../../../test/support/an-engine.ts';
import { openIndex } from '../../src/index-file/open-index.ts';
import { partInterpretations } from '../../src/query/part-interpretations.ts';
import { RegionLookup } from '../../src/query/region-lookup.ts';
import { foldWords } from '../../src/text/fold.ts';
import { MAX_WORK, WorkBudget } from '../../src/work-budget.ts';

const index = openIndex(await anIndex([aPlace({ name: 'Austin', country: 'US', admin1: 'US.TX' })]));
const lookup = new RegionLookup(index, new WorkBudget(MAX_WORK));

/** The name and the number of regions of each interpretation, and its penalty. */
function partsOf(text: string) {
  const found = partInterpretations(foldWords(text), lookup, new Set());
  return found.map((each) => ({ name: each.text, regions: each.regionGroups.length, penalty: each.penalty }));
}

test('every run of words is a name, and a region may follow it', () => {
  const parts = partsOf('hotel austin texas');
  const namesOf = (regions: number) => parts.filter((part) => part.regions === regions).map(({ name }) => name);
  assert.deepEqual(namesOf(1), ['hotel austin', 'austin']);
  assert.ok(namesOf(0).includes('austin texas') && namesOf(0).includes('austin'));
  const penaltyOf = (regions: number) =>
    parts.find((part) => part.name === 'austin' && part.regions === regions)!.penalty;
  assert.ok(penaltyOf(1) < penaltyOf(0), 'a region that is left out costs more than one that is used');
});

test('a generic word that is left out costs nothing', () => {
  const penaltyOf = (text: string) => partsOf(text).find(({ name }) => name === 'austin')!.penalty;
  assert.equal(penaltyOf('city of austin'), 0);
  assert.ok(penaltyOf('hilda austin') > 0);
});

test('codes and short names are no part of a query, but beside a word for airport', () => {
  assert.ok(!partsOf('meet aus today').some(({ name }) => name === 'aus'));
  assert.ok(partsOf('airport aus').some(({ name }) => name === 'aus'));
});

test('a text of very many words has no parts', () => {
  const words = Array.from({ length: 13 }, (_, i) => `austin${'abcdefghijklm'[i]}`);
  assert.notDeepEqual(partsOf(words.slice(0, 12).join(' ')), []);
  assert.deepEqual(partsOf(words.join(' ')), []);
});
