import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { pino } from 'pino';
import type { FetchOptions, FetchResult, IndexDownload } from '../../../src/serve/remote/index-download.ts';
import { RemoteWatch } from '../../../src/serve/remote/remote-watch.ts';

/** A watch whose checks have these results, one after the other; an Error is thrown. */
function aWatch(...results: readonly (FetchResult | Error | 'hangs')[]) {
  const lines: Record<string, unknown>[] = [];
  const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(JSON.parse(line)) });
  const problems: string[] = [];
  const fetches: FetchOptions[] = [];
  const remote = {
    name: 'https://example.com/world.toponym',
    path: '/state/world.toponym',
    fetch: async (options: FetchOptions) => {
      const result = results[fetches.push(options) - 1] ?? 'current';
      if (result instanceof Error) throw result;
      if (result === 'hangs') {
        const { promise, reject } = Promise.withResolvers<FetchResult>();
        options.signal?.addEventListener('abort', () => reject(options.signal?.reason));
        return promise;
      }
      return result;
    },
  } as unknown as IndexDownload;
  const events = { onNewIndex: async () => true, onProblem: async (problem: string) => void problems.push(problem) };
  const watch = new RemoteWatch(remote, events, log);
  return { watch, check: () => watch.start(0), retry: () => watch.retry(), lines, problems, fetches };
}

test('a watch checks at its start and at each interval; an interval of 0 means only at its start', async (context) => {
  context.mock.timers.enable({ apis: ['setInterval'] });
  for (const [intervalMs, checks] of [
    [60_000, 2],
    [0, 1],
  ] as const) {
    const { watch, fetches } = aWatch();
    await watch.start(intervalMs);
    context.mock.timers.tick(60_000);
    assert.equal(fetches.length, checks);
    watch.stop();
  }
});

test('each reason of a failing download is logged once, until a check succeeds', async () => {
  const lost = new Error('world.toponym: the connection was lost after 12 of 90 bytes');
  const lostLater = new Error('world.toponym: the connection was lost after 34 of 90 bytes (tried 3 times in a row)');
  const missing = new Error('world.toponym: the server answered 404 Not Found');
  const { check, lines } = aWatch(lost, lostLater, missing, lost, missing, 'current', 'current', lost);
  for (let i = 0; i < 8; i++) await check();
  assert.deepEqual(
    lines.map(({ reason, msg }) => reason ?? msg),
    [lost.message, missing.message, 'the index can be downloaded again', lost.message],
  );
});

test('ten checks in a row that another process keeps from downloading lead to a notice', async () => {
  const { check, lines, problems } = aWatch(...Array.from({ length: 12 }, () => 'busy' as const));
  for (let i = 0; i < 9; i++) await check();
  assert.deepEqual(problems, []);
  for (let i = 0; i < 3; i++) await check();
  const notice = 'index world.toponym not checked: another process has been downloading it for long';
  assert.deepEqual(new Set(problems), new Set([notice]));
  assert.equal(lines.length, 1);
  await check();
  assert.equal(problems.at(-1), '');
});

test('a restart ends a running download; a notice says that one takes long', async (context) => {
  context.mock.timers.enable({ apis: ['setInterval'] });
  const { watch, lines, problems, fetches } = aWatch('hangs', 'current');
  void watch.start(60_000);
  for (let i = 0; i < 9; i++) context.mock.timers.tick(60_000);
  assert.deepEqual([fetches.length, problems], [1, []]);
  for (let i = 0; i < 3; i++) context.mock.timers.tick(60_000);
  assert.deepEqual(problems, ['index world.toponym has been downloading for long']);
  assert.equal(lines.length, 1);
  await watch.restart();
  assert.deepEqual(
    fetches.map(({ isForced }) => isForced),
    [false, true],
  );
  assert.equal(problems.at(-1), '');
  watch.stop();
});

test('two restarts at once check one after the other', async () => {
  const { watch, fetches } = aWatch('hangs', 'hangs');
  void watch.start(0);
  void watch.restart();
  void watch.restart();
  await setImmediate();
  assert.equal(fetches.length, 2);
  watch.stop();
});

test('a request that finds another process downloading is done by the next check', async () => {
  const { check, retry, fetches } = aWatch('busy');
  await retry();
  await check();
  await check();
  assert.deepEqual(
    fetches.map(({ isForced }) => isForced),
    [true, true, false],
  );
});
