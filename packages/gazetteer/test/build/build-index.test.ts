import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aGazetteer, anEngine, aPlace, idsOf } from '../../../../test/support/an-engine.ts';
import { buildIndex } from '../../src/build/build-index.ts';

test('every stage of a build reports its progress', async () => {
  const steps: { stage: string; done: number; total?: number }[] = [];
  const places = Array.from({ length: 10_001 }, (_, i) => aPlace({ id: `${'GN'[i % 2]}${i}`, name: `P${i}` }));
  await buildIndex(aGazetteer(places), (step) => steps.push(step));
  assert.deepEqual(
    steps.map(({ stage, done, total }) => `${stage} ${done}/${total ?? '?'}`),
    [
      'reading 10000/?',
      'merging 0/10001',
      'merging 10000/10001',
      'sorting 0/10001',
      'indexing names 0/10001',
      'indexing names 10000/10001',
      'sorting keys 0/10001',
      'writing 0/?',
    ],
  );
});

test('the stages of a build with many places come in the same order', async () => {
  const stages = new Set<string>();
  const places = Array.from({ length: 25_000 }, (_, i) => aPlace({ id: `G${i + 1}`, name: `P${i}` }));
  await buildIndex(aGazetteer(places), ({ stage }) => stages.add(stage));
  assert.deepEqual([...stages], ['reading', 'sorting', 'indexing names', 'sorting keys', 'writing']);
});

test('an importance set by hand is not recomputed', async () => {
  const engine = await anEngine([aPlace({ id: 'G1', importance: 0.75 }), aPlace({ id: 'G2', population: 5_000_000 })]);
  assert.equal(engine.get('G1')?.record.importance, 0.75);
  assert.deepEqual(idsOf(engine.search({ text: '', limit: 2 })), ['G1', 'G2']);
});
