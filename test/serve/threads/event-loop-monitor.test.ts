import assert from 'node:assert/strict';
import { test } from 'node:test';
import { monitorEventLoop, runWhenIdle } from '../../../src/serve/threads/event-loop-monitor.ts';

const INTERVAL_MS = 100;
const LONG_DELAY_MS = 600;

test('two long delays in a row are an overload, and one is not', (t) => {
  let nowMs = 0;
  t.mock.method(performance, 'now', () => nowMs);
  t.mock.timers.enable({ apis: ['setInterval'] });
  const monitor = monitorEventLoop();
  const isOverloadedAfter = (delayMs: number) => {
    nowMs += INTERVAL_MS + delayMs;
    t.mock.timers.tick(INTERVAL_MS);
    return monitor.isOverloaded();
  };
  assert.deepEqual([0, LONG_DELAY_MS, 0, LONG_DELAY_MS].map(isOverloadedAfter), [false, false, false, false]);
  assert.deepEqual([LONG_DELAY_MS, LONG_DELAY_MS, 0].map(isOverloadedAfter), [true, true, false]);
  assert.equal(monitor.maxDelaySeconds(), LONG_DELAY_MS / 1000);
  while (nowMs < 75_000) isOverloadedAfter(300);
  assert.equal(monitor.maxDelaySeconds(), 0.3, 'only the last minute counts');
});

test('a task runs once, after the first second in which the thread is idle', (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  let utilization = 0.5;
  t.mock.method(performance, 'eventLoopUtilization', () => ({ idle: 0, active: 0, utilization }));
  let runs = 0;
  runWhenIdle(() => runs++);
  const runsAfter = (seconds: number) => {
    t.mock.timers.tick(seconds * 1000);
    return runs;
  };
  assert.equal(runsAfter(3), 0);
  utilization = 0.05;
  assert.equal(runsAfter(0.5), 0);
  assert.equal(runsAfter(0.5), 1);
  assert.equal(runsAfter(3), 1);
});
