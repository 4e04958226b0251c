import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runInNewContext } from 'node:vm';
import { releaseHeap } from '../../src/collections/release-heap.ts';

test('garbage leaves the heap, and no context gets the function that collects it', () => {
  const heapMb = () => process.memoryUsage().heapUsed / 1e6;
  const before = heapMb();
  let garbage: number[][] | undefined = Array.from({ length: 100_000 }, (_, i) => Array(100).fill(i));
  assert.ok(garbage.length > 0 && heapMb() > before + 50);
  garbage = undefined;
  releaseHeap();
  assert.ok(heapMb() < before + 20);
  assert.equal(runInNewContext('typeof gc'), 'undefined');
});
