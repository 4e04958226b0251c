/** One client's searches must not change another's: what a search keeps for later ones changes no page. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SearchQuery } from 'toponym-engine/engine';
import { openIndex } from 'toponym-engine/index-file/open-index';
import { openEngine } from 'toponym-engine/open-engine';
import { readIndexFile } from 'toponym-files/index-file';
import { builtIndex } from '../support/built-index.ts';
import { sampledQueries } from './confidence/query-sources.ts';
import { beginnings } from './typing/measures.ts';

const SEED = 20_261_120;

test('20,000 queries find the same pages in two orders', async () => {
  const bytes = readIndexFile(await builtIndex());
  const index = openIndex(bytes);
  const queries = [...[...beginnings(index, 2000, SEED).values()].flat(), ...sampledQueries(index, 6000, SEED)].map(
    ({ query }) => query,
  );
  assert.equal(queries.length, 20_000);
  const pagesOf = (ordered: readonly SearchQuery[]) => {
    const engine = openEngine(bytes);
    const pages = ordered.map((query) => {
      const { hits, total } = engine.search({ ...query, limit: 5 });
      return `${query.text}: ${total} ${hits.map(({ objectID, score }) => `${objectID} ${score}`)}`;
    });
    return pages.sort();
  };
  assert.deepEqual(pagesOf(queries), pagesOf(queries.toReversed()));
});
