/**
 * Verifies the bytes of an index file: checksums, then structure. Two threads verify a large file and
 * take checks from both ends of one list. This thread depends on the other in nothing: if that fails, it
 * runs all checks itself. It throws the first error of the list, as one thread would.
 */
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { crc32 } from 'node:zlib';
import { threadEnvironment } from '../files/thread-environment.ts';
import type { Index } from './layout.ts';
import { openIndex, readDirectory, verifyChecksum } from './open-index.ts';
import { STRUCTURE_CHECKS, verifySizes } from './verify-structure.ts';

interface VerifyOptions {
  readonly skipStructure?: boolean;
  /** Size from which on two threads verify the file. */
  readonly minSharedBytes?: number;
  readonly threadFile?: URL;
  /** How long to wait for a check that the other thread has begun. */
  readonly maxWaitMs?: number;
}

/** What the other thread gets. `states` has a value of STATE for each check. */
export interface SharedChecks {
  readonly buffer: SharedArrayBuffer;
  readonly states: Int32Array;
}

// .ts in a clone, .js in the published package
const THREAD_FILE = new URL(`./verify-thread${extname(import.meta.url)}`, import.meta.url);
/** The checks of a smaller file take less than 0.2 s, and a thread needs half of that to start. */
const MIN_SHARED_BYTES = 1e8;
const STATE = { open: 0, taken: 1, passed: 2, failed: 3 } as const;
/** Longer than a check of the largest file takes. */
const MAX_WAIT_MS = 10_000;

/** Throws IndexFormatError. */
export function verifyIndex(buffer: SharedArrayBuffer, options: VerifyOptions = {}): void {
  const { skipStructure = false, minSharedBytes = MIN_SHARED_BYTES } = options;
  const { threadFile = THREAD_FILE, maxWaitMs = MAX_WAIT_MS } = options;
  const checks = listChecks(buffer, skipStructure);
  // checksums alone take as long as the other thread needs to start
  if (skipStructure || buffer.byteLength < minSharedBytes) {
    for (const check of checks) check();
    return;
  }
  const states = new Int32Array(new SharedArrayBuffer(checks.length * Int32Array.BYTES_PER_ELEMENT));
  const workerData: SharedChecks = { buffer, states };
  const thread = startThread(threadFile, workerData);
  try {
    for (let i = 0; i < checks.length; i++) makeCheck(checks, i, states);
    checks.forEach((check, i) => {
      Atomics.wait(states, i, STATE.taken, maxWaitMs);
      if (Atomics.load(states, i) !== STATE.passed) check(); // throws its error, unless the other thread has failed
    });
  } finally {
    void thread?.terminate();
  }
}

/** If the thread cannot start or fails, this one runs all checks. */
function startThread(file: URL, workerData: SharedChecks): Worker | undefined {
  try {
    return new Worker(file, { workerData, env: threadEnvironment() }).on('error', () => {});
  } catch {
    return undefined;
  }
}

/** What the other thread does: it runs checks from the end of the list. */
export function verifyFromEnd({ buffer, states }: SharedChecks): void {
  const checks = listChecks(buffer, false);
  for (let i = checks.length - 1; i >= 0; i--) makeCheck(checks, i, states);
}

type Check = () => void;

function listChecks(buffer: SharedArrayBuffer, skipStructure: boolean): readonly Check[] {
  const checks: Check[] = [];
  for (const entry of readDirectory(buffer)) checks.push(() => verifyChecksum(buffer, entry, crc32));
  if (skipStructure) return checks;
  let opened: Index | undefined;
  const open = () => (opened ??= openWithSizes(buffer));
  checks.push(open);
  for (const check of STRUCTURE_CHECKS) checks.push(() => check(open()));
  return checks;
}

function openWithSizes(buffer: SharedArrayBuffer): Index {
  const index = openIndex(buffer);
  verifySizes(index);
  return index;
}

/** Does nothing if the other thread has taken the check. */
function makeCheck(checks: readonly Check[], i: number, states: Int32Array): void {
  if (Atomics.compareExchange(states, i, STATE.open, STATE.taken) !== STATE.open) return;
  let state: number = STATE.failed;
  try {
    checks[i]?.();
    state = STATE.passed;
  } catch {} // the first failed check is repeated, to throw its error
  Atomics.store(states, i, state);
  Atomics.notify(states, i);
}
