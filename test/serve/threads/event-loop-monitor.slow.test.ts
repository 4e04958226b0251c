import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTick } from 'node:timers/promises';
import { monitorEventLoop } from '../../../src/serve/threads/event-loop-monitor.ts';
import { waitUntil } from '../../support/deadline.ts';

/** Longer than the timer interval plus the delay that counts as late. A busy machine only adds to it. */
const BLOCKED_MS = 700;

test('an event loop that is really blocked is overloaded until it runs on time again', async () => {
  await nextTick(); // from here on, the timers of each tick run before the test goes on
  const monitor = monitorEventLoop();
  for (const isOverloaded of [false, true]) {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, BLOCKED_MS);
    await nextTick();
    assert.equal(monitor.isOverloaded(), isOverloaded);
  }
  assert.ok(monitor.maxDelaySeconds() > 0.5);
  await waitUntil('the event loop is not overloaded', () => !monitor.isOverloaded());
});
