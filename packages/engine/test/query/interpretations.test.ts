import assert from 'node:assert/strict';
import { test } from 'node:test';
import { anIndex, aPlace } from '../../../../test/support/an-engine.ts';
import { openIndex } from '../../src/index-file/open-index.ts';
import {
  type RegionMatching,
  regionInterpretations,
  reorderedInterpretations,
  textOf,
} from '../../src/query/interpretations.ts';
import { RegionLookup } from '../../src/query/region-lookup.ts';
import { foldWords } from '../../src/text/fold.ts';
import { MAX_WORK, WorkBudget } from '../../src/work-budget.ts';

const index = openIndex(
  await anIndex(['US.TX', 'US.IL', 'US.NY'].map((admin1) => aPlace({ country: 'US', admin1, name: 'Paris' }))),
);
const lookup = new RegionLookup(index, new WorkBudget(MAX_WORK));

/** Each interpretation as its name and its groups of regions: `paris | texas | usa`. */
function read(text: string, matching: RegionMatching): string[] {
  const words = foldWords(text);
  return regionInterpretations(words, lookup, matching).map(({ text: name, regionGroups }) =>
    [name, ...regionGroups.map(({ from, to }) => textOf(words, from, to))].join(' | '),
  );
}

test('words before and after a name are read as its regions', () => {
  const rows: readonly (readonly [text: string, matching: RegionMatching, expected: readonly string[]])[] = [
    ['paris texas', 'exact', ['paris | texas']],
    ['texas paris', 'exact', ['paris | texas']],
    ['paris texas usa', 'exact', ['paris texas | usa', 'paris | texas | usa']],
    ['paris new york', 'exact', ['paris | new york']],
    ['paris france', 'exact', []],
    ['new york, new york', 'exact', ['new york | new york', 'new york | new york']],
    ['texas city, illinois', 'exact', ['texas city | illinois']], // a comma ends the name
    ['paris, texas city', 'exact', []],
    ['paris tex', 'exact', []],
    ['paris tex', 'prefix', ['paris | tex']],
    ['par tex', 'prefix', []], // so short a name mostly goes on
    ['paris texsa', 'prefix', []],
    ['paris texsa', 'misspelt', ['paris | texsa']],
    ['paris ilinois usa', 'misspelt', ['paris | ilinois | usa']],
    ['texas', 'exact', []],
  ];
  for (const [text, matching, expected] of rows)
    assert.deepEqual(read(text, matching), expected, `${text}, ${matching}`);
});

test('a query of very many words is not split', () => {
  assert.notDeepEqual(read(`${'a '.repeat(11)}texas`, 'exact'), []);
  assert.deepEqual(read(`${'a '.repeat(12)}texas`, 'exact'), []);
});

test('a name in another order is tried only in orders with which a name starts', () => {
  const orders = (text: string) =>
    reorderedInterpretations(foldWords(text), (start) => 'janeiro de rio'.startsWith(start)).map((each) => each.text);
  assert.deepEqual(orders('rio de janeiro'), ['janeiro de rio']);
  assert.deepEqual(orders('janeiro de rio'), []);
  assert.deepEqual(orders('rio'), []);
});
