import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { pino } from 'pino';
import { type FetchOptions, type FetchResult, RefusedError } from '../../../src/datasets/index-copy.ts';
import { Mirror } from '../../../src/datasets/mirror.ts';

const INTERVAL_MS = 60_000;
const NOT_DOWNLOADED = 'index world.toponym not downloaded; the log says why';
const REFUSED = 'index world.toponym not reloaded; the log says why';

/** A mirror whose checks have these results, one after the other, and then `current`; an Error is thrown. */
async function aMirror({ mock }: TestContext, ...results: readonly (FetchResult | Error | 'hangs')[]) {
  mock.timers.enable({ apis: ['setInterval'] });
  const lines: Record<string, unknown>[] = [];
  const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(JSON.parse(line)) });
  const problems: string[] = [];
  const fetches: FetchOptions[] = [];
  let newIndexes = 0;
  const fetch = async (options: FetchOptions = {}) => {
    const result = results[fetches.push(options) - 1] ?? 'current';
    if (result instanceof Error) throw result;
    if (result !== 'hangs') return result;
    const { promise, reject } = Promise.withResolvers<FetchResult>();
    options.signal?.addEventListener('abort', () => reject(options.signal?.reason));
    return promise;
  };
  const copy = {
    name: 'https://example.com/world.toponym',
    path: '/state/world.toponym',
    read: async () => undefined,
    fetch,
  };
  const mirror = new Mirror(copy, { onWait: () => {}, onEnd: () => {} });
  /** Lets the checks run that need no timer. */
  const settle = () => pause(10);
  const poll = async (times = 1) => {
    for (let i = 0; i < times; i++) {
      mock.timers.tick(INTERVAL_MS);
      await settle();
    }
  };
  const follow = async (watchSeconds = INTERVAL_MS / 1000) => {
    const onProblem = (problem: string) => void problems.push(problem);
    mirror.follow({ watchSeconds, log, onNewIndex: () => newIndexes++, onProblem });
    await settle();
  };
  return { mirror, follow, poll, settle, lines, problems, fetches, newIndexes: () => newIndexes };
}

test('a mirror asks at its start and at each interval; an interval of 0 means only at its start', async (context) => {
  for (const [seconds, checks] of [
    [60, 3],
    [0, 1],
  ] as const) {
    context.mock.timers.reset();
    const { mirror, follow, poll, fetches, newIndexes } = await aMirror(context, 'new', 'current', 'new');
    await follow(seconds);
    await poll(2);
    assert.equal(fetches.length, checks);
    assert.equal(newIndexes(), seconds === 0 ? 1 : 2);
    mirror.stop();
  }
});

test('each reason of a failing download is logged once, until a check succeeds', async (context) => {
  const lost = new Error('world.toponym: the connection was lost after 12 of 90 bytes');
  const lostLater = new Error('world.toponym: the connection was lost after 34 of 90 bytes (tried 3 times in a row)');
  const missing = new Error('world.toponym: the server answered 404 Not Found');
  const results = [lost, lostLater, missing, lost, missing, 'current', 'current', lost] as const;
  const { follow, poll, lines, problems } = await aMirror(context, ...results);
  await follow();
  await poll(7);
  assert.deepEqual(
    lines.map(({ reason, msg }) => reason ?? msg),
    [lost.message, missing.message, 'the index can be downloaded again', lost.message],
  );
  assert.deepEqual(problems, [NOT_DOWNLOADED, '', NOT_DOWNLOADED]);
});

test('a refused version is logged once, and has a notice until the server has another one', async (context) => {
  const refusal = new RefusedError('refused', { cause: new Error('it holds no places') });
  const { follow, poll, lines, problems } = await aMirror(context, refusal, 'refused', 'refused', 'new');
  await follow();
  await poll(3);
  assert.deepEqual(
    lines.map(({ reason, msg }) => [reason, msg]),
    [['it holds no places', 'index not reloaded: the old one stays in use']],
  );
  assert.deepEqual(problems, [REFUSED, '']);
});

test('a server without versions is warned of once', async (context) => {
  const { follow, poll, lines, problems } = await aMirror(context, 'unversioned', 'unversioned');
  await follow();
  await poll();
  assert.equal(lines.length, 1);
  assert.match(String(lines[0]?.msg), /neither ETag nor Last-Modified: .* only on SIGHUP/);
  assert.deepEqual(problems, []);
});

test('a download that takes ten intervals, here or in another process, leads to a notice', async (context) => {
  const notice = 'index world.toponym has been downloading for long, here or in another process';
  for (const results of [['hangs'], Array.from({ length: 13 }, () => 'busy' as const)] as const) {
    context.mock.timers.reset();
    const { mirror, follow, poll, settle, lines, problems } = await aMirror(context, ...results);
    await follow();
    await poll(10);
    assert.deepEqual(problems, []);
    await poll(2);
    assert.deepEqual([problems, lines.length], [[notice], 1]);
    mirror.refresh();
    await settle();
    await poll();
    assert.deepEqual(problems, [notice, '']);
    mirror.stop();
  }
});

test('requests end a running download and check once more, even a refused version', async (context) => {
  const { mirror, follow, settle, fetches, problems } = await aMirror(context, 'hangs', 'hangs');
  await follow();
  mirror.refresh();
  mirror.refresh();
  await settle();
  assert.deepEqual(
    fetches.map(({ isForced, signal }) => [isForced, signal?.aborted]),
    [
      [false, true],
      [true, false],
    ],
  );
  mirror.stop();
  await settle();
  assert.equal(fetches[1]?.signal?.aborted, true);
  assert.deepEqual(problems, []);
});

test('a request that finds another process downloading is done by the next check', async (context) => {
  const { mirror, follow, poll, settle, fetches } = await aMirror(context, 'current', 'busy');
  await follow();
  mirror.refresh();
  await settle();
  await poll(2);
  assert.deepEqual(
    fetches.map(({ isForced }) => isForced),
    [false, true, true, false],
  );
});
