import assert from 'node:assert/strict';
import { test } from 'node:test';
import { anIndex, aPlace } from '../../../../test/support/an-engine.ts';
import { openIndex } from '../../src/index-file/open-index.ts';
import { readText } from '../../src/index-file/packed-record.ts';
import { RegionLookup } from '../../src/query/region-lookup.ts';
import { MAX_WORK, WorkBudget } from '../../src/work-budget.ts';

const index = openIndex(
  await anIndex([
    aPlace({ country: 'US', admin1: 'US.TX' }),
    aPlace({ country: 'US', admin1: 'US.IL', admin2: 'US.IL.167' }),
    aPlace({ country: 'GB' }),
    aPlace({ country: 'FR' }),
  ]),
);
const lookup = new RegionLookup(index, new WorkBudget(MAX_WORK));
const namesOf = (regions: Uint32Array) =>
  Array.from(new Set(regions), (region) => readText(index, index.regionText[region]!)).sort();

test('words find regions by names, codes, unfinished names and misspelt names', () => {
  const rows: readonly (readonly [found: Uint32Array, names: readonly string[]])[] = [
    [lookup.named('texas'), ['Texas']],
    [lookup.named('tx'), ['Texas']],
    [lookup.named('great britain'), ['United Kingdom']],
    [lookup.named('united'), []],
    [lookup.named('germany'), []], // no place is in it
    [lookup.startingWith('united'), ['United Kingdom', 'United States']],
    [lookup.startingWith('sang'), ['Sangamon County']],
    [lookup.ownNamesStartingWith('u'), ['United Kingdom', 'United States']],
    [lookup.ownNamesStartingWith('am'), []], // America is an alias
    [lookup.ownNamesStartingWith('sang'), []], // counties are too many
    [lookup.misspelt('texsa', false), ['Texas']],
    [lookup.misspelt('illnoi', false), []],
    [lookup.misspelt('illnoi', true), ['Illinois']],
    [lookup.misspelt('txas', false), []], // too short
  ];
  for (const [i, [found, names]] of rows.entries()) assert.deepEqual(namesOf(found), names, `row ${i + 1}`);
});

test('only the names of countries and first-level divisions are their own', () => {
  const own = ['texas', 'tx', 'france', 'united states', 'america', 'sangamon county'].filter((text) =>
    lookup.isOwnName(text),
  );
  assert.deepEqual(own, ['texas', 'france', 'united states']);
});

test('a lookup after a misspelt one finds its own regions', () => {
  const found = namesOf(lookup.named('texas'));
  lookup.misspelt('frnace', false);
  assert.deepEqual(namesOf(lookup.named('texas')), found);
});

test('misspelt regions cost the same work again, and none are found without work', () => {
  const work = new WorkBudget(1000);
  const thrifty = new RegionLookup(index, work);
  assert.deepEqual(namesOf(thrifty.misspelt('texsa', false)), ['Texas']);
  const cost = work.used;
  thrifty.misspelt('texsa', false);
  assert.equal(work.used, 2 * cost);
  work.spend(1000 - 2 * cost);
  assert.deepEqual(namesOf(thrifty.misspelt('texsa', false)), []);
});
