import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { SECTION_NAMES } from '../../src/index-file/layout.ts';
import { openIndex, readDirectory, verifyChecksums } from '../../src/index-file/open-index.ts';
import { verifyFromEnd, verifyIndex } from '../../src/index-file/verify-index.ts';
import { STRUCTURE_CHECKS, verifyStructure } from '../../src/index-file/verify-structure.ts';
import { aFullIndex, MutableIndex } from './mutated-index.ts';

const base = await aFullIndex();
const FAR = 0x00ff_ffff;
const TWO_THREADS = { minSharedBytes: 0 };

function shared(bytes: ArrayBuffer): SharedArrayBuffer {
  const buffer = new SharedArrayBuffer(bytes.byteLength);
  new Uint8Array(buffer).set(new Uint8Array(bytes));
  return buffer;
}

/** A thread of `verifyIndex` with other code. */
function aThread(code: string): URL {
  return new URL(`data:text/javascript,${encodeURIComponent(code)}`);
}

/** The error of one thread, which two threads must report too. */
function assertSameError(buffer: SharedArrayBuffer): string {
  const errorOf = (verify: () => void): string => {
    try {
      verify();
      return 'none';
    } catch (error) {
      return String(error);
    }
  };
  const expected = errorOf(() => {
    verifyChecksums(buffer);
    verifyStructure(openIndex(buffer));
  });
  assert.equal(
    errorOf(() => verifyIndex(buffer, TWO_THREADS)),
    expected,
  );
  return expected;
}

test('two threads accept a good index', () => {
  assert.equal(assertSameError(shared(base)), 'none');
});

test('two threads report the first of several damaged sections, as one does', () => {
  const offsets = readDirectory(base).map(({ offset }) => offset);
  for (let i = 0; i < offsets.length; i += 5) {
    const bytes = new Uint8Array(shared(base));
    for (const offset of [offsets[i]!, offsets.at(-1)!]) bytes[offset]! ^= 1;
    const expected = `IndexFormatError: section ${SECTION_NAMES[i]} is damaged: its checksum does not match. Rebuild the index`;
    assert.equal(assertSameError(bytes.buffer as SharedArrayBuffer), i === offsets.length - 1 ? 'none' : expected);
  }
});

test('two threads report the first of several invalid references, as one does', () => {
  const changes = { nameText: 3, placeNames: 5, placeAdmin1: 7, postings: 9, rangeTops: 1 } as const;
  for (const [name, at] of Object.entries(changes)) {
    const index = new MutableIndex(base);
    index.section(name as keyof typeof changes)[at] = FAR;
    index.section('slotName')[0] = 200;
    assert.match(assertSameError(shared(index.seal())), /^IndexFormatError: section /);
  }
});

test('one thread runs all checks if the other fails', () => {
  const options = { ...TWO_THREADS, threadFile: aThread('throw new Error("made to fail")') };
  verifyIndex(shared(base), options);
  const index = new MutableIndex(base);
  index.section('treeIds')[0] = FAR;
  assert.throws(() => verifyIndex(shared(index.seal()), options), /section treeIds is damaged/);
});

test('one thread repeats the checks that the other has begun and does not finish', (context) => {
  const index = new MutableIndex(base);
  index.section('slotName')[0] = 200;
  const buffer = shared(index.seal());
  // as if the other thread had taken every check
  const take = (states: Int32Array, i: number) => Atomics.store(states, i, 1);
  const { mock } = context.mock.method(Atomics, 'compareExchange', take as unknown as typeof Atomics.compareExchange);
  assert.throws(() => verifyIndex(buffer, { ...TWO_THREADS, maxWaitMs: 1 }), /section slotName is damaged/);
  assert.ok(mock.callCount() > SECTION_NAMES.length);
});

test('the file of the other thread runs all checks', async () => {
  const states = new Int32Array(new SharedArrayBuffer(4 * (SECTION_NAMES.length + 1 + STRUCTURE_CHECKS.length)));
  const file = new URL('../../src/index-file/verify-thread.ts', import.meta.url);
  await once(new Worker(file, { workerData: { buffer: shared(base), states } }), 'exit');
  assert.deepEqual([...new Set(states)], [2]); // passed
});

test('the other thread runs every check that is not taken, and marks those that fail', () => {
  const index = new MutableIndex(base);
  index.section('slotName')[0] = 200;
  const [open, taken, passed, failed] = [0, 1, 2, 3];
  const states = new Int32Array(new SharedArrayBuffer(4 * (SECTION_NAMES.length + 1 + STRUCTURE_CHECKS.length))).fill(
    open,
  );
  states[5] = taken;
  verifyFromEnd({ buffer: shared(index.seal()), states });
  const expected = new Int32Array(states.length).fill(passed);
  expected[5] = taken;
  expected[states.length - 2] = failed; // of slots; that of top lists is the last one
  assert.deepEqual([...states], [...expected]);
});
