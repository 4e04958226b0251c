// `releaseHeap` ignores every error, so a version of Node.js in which it does nothing would go unnoticed: a service would
// keep each index that was replaced
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { releaseHeap } from '../src/release-heap.ts';

for (const flavor of ['regular', 'last-resort'] as const) {
  test(`the memory of data that was replaced is free again: ${flavor}`, () => {
    const heapMb = () => process.memoryUsage().heapUsed / 1e6;
    releaseHeap(flavor); // garbage of other tests
    const before = heapMb();
    let garbage: number[][] | undefined = Array.from({ length: 100_000 }, (_, i) => Array(100).fill(i));
    assert.ok(garbage.length > 0 && heapMb() > before + 50);
    garbage = undefined;
    releaseHeap(flavor);
    assert.ok(heapMb() < before + 20);
  });
}
