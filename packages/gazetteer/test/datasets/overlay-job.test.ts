/** What makes the index of a service with an overlay, from real files. */
import assert from 'node:assert/strict';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { pino } from 'pino';
import { openEngine } from 'toponym-engine/open-engine';
import { readIndexFile } from 'toponym-files/index-file';
import { waitUntil } from '../../../../test/support/deadline.ts';
import { writeVersion } from '../../../../test/support/index-version.ts';
import { temporaryFolder } from '../../../../test/support/temporary-folder.ts';
import type { JobEvents } from '../../src/datasets/index-job.ts';
import { OverlayJob } from '../../src/datasets/overlay-job.ts';

const NOT_RELOADED = 'overlay fixes.ndjson not reloaded; the log says why';

/** A job over an index of Alba and Borea, `G1` and `G2`, and an overlay of these lines. */
async function aJob(context: TestContext, ...lines: readonly object[]) {
  const folder = temporaryFolder(context);
  const [basePath, overlayPath] = [join(folder, 'base.toponym'), join(folder, 'fixes.ndjson')];
  await writeVersion(basePath, 'one', ['Alba', 'Borea']);
  const put = (...given: readonly object[]) =>
    writeFileSync(overlayPath, given.map((line) => JSON.stringify(line)).join('\n'));
  put(...lines);
  const reasons: string[] = [];
  let baseEvents: JobEvents | undefined;
  const base = {
    path: () => basePath,
    load: async (beforeRead: () => void) => {
      beforeRead();
      return readIndexFile(basePath);
    },
    follow: (events: JobEvents) => {
      baseEvents = events;
    },
  };
  const job = new OverlayJob({
    base,
    overlayPath,
    folder,
    log: pino({}, { write: (line) => void reasons.push(JSON.parse(line).reason) }),
    progress: { show: () => {}, end: () => {} },
    stopping: undefined,
  });
  context.after(() => job.stop());
  const problems: string[] = [];
  const served: string[] = [];
  const follow = (watchSeconds = 0.02) =>
    job.follow({
      watchSeconds,
      log: pino({ level: 'silent' }),
      onNewIndex: () => served.push(openEngine(readIndexFile(job.path())).get('G1')?.record.name ?? 'none'),
      onProblem: (problem) => problems.push(problem),
    });
  return { job, basePath, overlayPath, put, follow, problems, served, reasons, events: () => baseEvents };
}

const renamed = (name: string) => ({ change: 'G1', name });

test('a changed overlay or index leads to a new index; one that cannot be used, to a problem and no index', async (context) => {
  const { job, basePath, overlayPath, put, follow, problems, served, reasons } = await aJob(context, renamed('Uno'));
  assert.equal(openEngine(await job.load(() => {})).get('G1')?.record.name, 'Uno');
  const first = job.path();
  follow();
  put(renamed('Due'));
  await waitUntil('the changed overlay is used', () => served.at(-1) === 'Due');
  assert.notEqual(job.path(), first);
  assert.ok(existsSync(first), 'a service may be reading it');
  const before = job.path();
  put(renamed('Due'), { hide: 'G77' });
  await waitUntil('the problem is reported', () => problems.at(-1) === NOT_RELOADED);
  assert.match(reasons.at(-1) ?? '', /fixes\.ndjson:2: hide: place G77 does not exist$/);
  assert.equal(job.path(), before);
  put(renamed('Tre'));
  await waitUntil('the repaired overlay is used', () => served.at(-1) === 'Tre');
  assert.equal(problems.at(-1), '');
  rmSync(overlayPath);
  await waitUntil('the missing file is reported', () => problems.at(-1) === 'no such file or directory (fixes.ndjson)');
  put(renamed('Tre'));
  await waitUntil('the problem ends', () => problems.at(-1) === '');
  await writeVersion(basePath, 'two', ['Alba', 'Borea']);
  await waitUntil('the changed index is used', () => openVersion(job.path()).startsWith('two+overlay-'));
  assert.deepEqual(served, ['Due', 'Tre', 'Tre'], 'the same overlay again makes nothing new');
  writeFileSync(basePath, 'not an index');
  await waitUntil('the index is named', () => problems.at(-1) === 'index base.toponym not reloaded; the log says why');
});

test('changes during a build lead to one more build, of the last of them', async (context) => {
  const { job, put, follow, served } = await aJob(context, renamed('Uno'));
  await job.load(() => {});
  follow(0);
  job.refresh();
  for (const name of ['Due', 'Tre', 'Quattro']) {
    put(renamed(name));
    job.refresh();
  }
  await waitUntil('the last change is used', () => served.at(-1) === 'Quattro');
  assert.ok(served.length <= 2, served.join());
});

test('an overlay that cannot be used ends the start with its reason', async (context) => {
  const { job, overlayPath } = await aJob(context, { hide: 'G77' });
  await assert.rejects(
    job.load(() => {}),
    { name: 'UsageError', message: /fixes\.ndjson:1: hide: place G77 does not exist$/ },
  );
  rmSync(overlayPath);
  await assert.rejects(
    job.load(() => {}),
    { name: 'UsageError', message: /fixes\.ndjson cannot be read/ },
  );
});

test('this thread keeps running while a long overlay is built', async (context) => {
  const lines = Array.from({ length: 4_000 }, (_, i) => ({ addName: 'G1', name: `Alba ${i}` }));
  const { job } = await aJob(context, ...lines);
  let ticks = 0;
  const timer = setInterval(() => ticks++, 1);
  const index = await job.load(() => {});
  clearInterval(timer);
  assert.ok(ticks > 10, `${ticks} ticks`);
  const { names = {} } = openEngine(index).get('G1') ?? {};
  assert.equal(Object.values(names).flat().length, 4_001);
});

test('a new base index is used at once, and problems of base and overlay are shown together', async (context) => {
  const { job, basePath, put, follow, problems, events } = await aJob(context, renamed('Uno'));
  await job.load(() => {});
  follow(0);
  await writeVersion(basePath, 'two', ['Alba', 'Borea']);
  events()?.onNewIndex();
  await waitUntil('the new base is used', () => openVersion(job.path()).startsWith('two+overlay-'));
  events()?.onProblem('index world.toponym not downloaded; the log says why');
  put({ hide: 'G77' });
  job.refresh();
  const both = `index world.toponym not downloaded; the log says why; ${NOT_RELOADED}`;
  await waitUntil('both problems are reported', () => problems.at(-1) === both);
});

function openVersion(path: string): string {
  return openEngine(readIndexFile(path)).dataset.version;
}
