import assert from 'node:assert/strict';
import { test } from 'node:test';
import { monitorEventLoop, runWhenIdle } from '../../../src/serve/threads/event-loop-monitor.ts';

const INTERVAL_MS = 100;
const LONG_DELAY_MS = 600;

test('the longest delay of the last minute is known', (t) => {
  let nowMs = 0;
  t.mock.method(performance, 'now', () => nowMs);
  t.mock.timers.enable({ apis: ['setInterval'] });
  const maxDelaySeconds = monitorEventLoop();
  const delay = (delayMs: number) => {
    nowMs += INTERVAL_MS + delayMs;
    t.mock.timers.tick(INTERVAL_MS);
  };
  for (const delayMs of [0, LONG_DELAY_MS, 0]) delay(delayMs);
  assert.equal(maxDelaySeconds(), LONG_DELAY_MS / 1000);
  while (nowMs < 75_000) delay(300);
  assert.equal(maxDelaySeconds(), 0.3, 'only the last minute counts');
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
