/**
 * The test commands. `npm test` lints, checks types and runs every test that needs npm packages only.
 * `npm run test:all` adds `*.outside.test.ts`, whose tests run real outside programs.
 * `npm run test:fast` runs only the tests that start no process. `npm test -- PATH…` runs these files
 * or folders. `--bail` ends at the first failure.
 *
 * A job is one process. All jobs wait in one queue, so that no core idles between two kinds of
 * jobs: no test judges how long something takes, so none has to run alone. Fast files share a few
 * processes, because most of their time is loading the same modules. Jobs that need no outside program
 * run while `test:all` installs the missing ones.
 *
 * `test:all` fills the machine with browsers, containers and databases, whose own limits of time can
 * pass. So up to three files that fail beside others run once more alone, and are named if they pass.
 */
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join, sep } from 'node:path';
import { parseArgs } from 'node:util';
import { offerOutsidePrograms, packagesToRun } from '../test/support/outside-programs.ts';
import { type Failure, type JobResult, runCommand, runTestFiles } from './test-jobs.ts';

interface Job {
  readonly name: string;
  /** Whether it waits until the programs of Debian are installed. */
  readonly needsPrograms?: boolean;
  readonly run: () => Promise<JobResult>;
}

/** More than the cores, because tests with processes of their own wait half of the time. */
const WIDTH = 2 * availableParallelism();
/** The fast files are split into this many processes. */
const FAST_SHARDS = availableParallelism() + 1;
/** More files that fail than this are no accident. */
const MAX_SECOND_TRIES = 3;
/** Files that take over 40 seconds on a quiet machine; of the others, the larger ones take longer. */
const LONGEST = [
  'test/deploy/image.outside.test.ts',
  'test/package/package.outside.test.ts',
  'test/docs/commands.outside.test.ts',
  'test/frameworks/search-box.outside.test.ts',
  'test/faults/scenarios.outside.test.ts',
  'test/faults/redis-scenarios.outside.test.ts',
  'test/scripts/other-user.outside.test.ts',
  'test/package/publish.outside.test.ts',
];
/** The import in a test file that searches the embedded index. */
const EMBEDDED_ENGINE = 'support/embedded-engine.ts';
const CHECKS = [
  ['biome', 'check'],
  ['tsc', '--noEmit', '--singleThreaded'], // with more threads, each checks some types again
  ['tsc', '--noEmit', '--project', 'packages/engine'],
  ['tsc', '--noEmit', '--project', 'packages/client'],
  ['tsc', '--noEmit', '--project', 'web'],
];

const { values: flags, positionals: paths } = parseArgs({
  options: { fast: { type: 'boolean' }, all: { type: 'boolean' }, bail: { type: 'boolean' } },
  allowPositionals: true,
});
const chosen = paths.flatMap(testFilesAt);
const unknown = paths.find((path) => testFilesAt(path).length === 0);
if (unknown === undefined) await runAll();
else {
  console.error(
    `There is no test at ${unknown}. Name test files or folders from the root of the clone: packages/engine/test/text`,
  );
  process.exitCode = 2;
}

async function runAll(): Promise<void> {
  const startedMs = performance.now();
  const install = flags.all ? await offerOutsidePrograms().catch(giveUp) : async () => {};
  // what test processes make once and share: see test/support/once-per-run.ts
  const folder = mkdtempSync(join(tmpdir(), 'toponym-test-run-'));
  process.env.TOPONYM_TEST_RUN = folder;
  process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => process.exit(1));
  const chromium = install().then(startChromium).catch(giveUp);
  const first = await runJobs(planJobs(), chromium);
  const endChromium = await chromium;
  const { results, unsteady } =
    flags.all && !flags.bail ? await tryAgainAlone(first) : { results: first, unsteady: [] };
  await endChromium();
  printSummary(results, unsteady, performance.now() - startedMs);
  process.exit(results.some(({ failures }) => failures.length > 0) ? 1 : 0); // jobs may still run after a failure
}

/** The machine lacks what it needs. */
function giveUp(error: unknown): never {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}

/** Starts the browser that the outside tests share. Returns what ends it. */
async function startChromium(): Promise<() => Promise<void>> {
  return flags.all ? await (await import('../test/support/chromium.ts')).shareChromium() : async () => {};
}

function planJobs(): Job[] {
  if (chosen.length > 0)
    return chosenJobs(
      chosen.filter(isFast),
      chosen.filter((file) => !isFast(file)),
    );
  const fast = shardJobs(testFiles('!(*.slow|*.outside).test.ts'));
  if (flags.fast) return fast;
  const slow = slowJobs(testFiles('*.slow.test.ts'));
  const outside = flags.all ? testFiles('*.outside.test.ts').map(fileJob) : [];
  const index = commandJob([process.execPath, 'test/support/built-index.ts']);
  // the index first, because the slow tests wait for it
  return [index, ...CHECKS.map(commandJob), ...fast, ...slow, ...outside];
}

/** Files over the embedded index share a process, which opens it once. They begin first, because they take longest. */
function slowJobs(files: readonly string[]): Job[] {
  const [embedded = [], others = []] = [true, false].map((isEmbedded) =>
    files.filter((file) => readFileSync(file, 'utf8').includes(EMBEDDED_ENGINE) === isEmbedded),
  );
  return [
    { name: 'slow tests over the embedded index', run: () => runTestFiles(embedded, flags) },
    ...others.map(fileJob),
  ];
}

function chosenJobs(fast: readonly string[], others: readonly string[]): Job[] {
  const together = fast.length === 0 ? [] : [{ name: fast.join(' '), run: () => runTestFiles(fast, flags) }];
  return [...together, ...others.map(fileJob)];
}

function testFilesAt(path: string): string[] {
  if (!existsSync(path)) return [];
  return statSync(path).isDirectory() ? globSync(`${path}/**/*.test.ts`).sort() : [path];
}

function isFast(file: string): boolean {
  return !/\.(slow|outside)\.test\.ts$/.test(file);
}

/** The longest first, because one of them at the end would leave the other cores idle. */
function testFiles(name: string): string[] {
  const weight = (file: string) => (LONGEST.includes(file) ? Number.POSITIVE_INFINITY : statSync(file).size);
  return globSync([`test/**/${name}`, `packages/*/test/**/${name}`]).sort(
    (a, b) => weight(b) - weight(a) || LONGEST.indexOf(a) - LONGEST.indexOf(b),
  );
}

/** Files of one folder stay together, because they load the same modules and tables. */
function shardJobs(files: readonly string[]): Job[] {
  const shards = Array.from({ length: FAST_SHARDS }, () => ({ files: [] as string[], bytes: 0 }));
  const folders = [...Map.groupBy(files, (file) => file.split(sep).slice(0, -1).join(sep)).values()]
    .map((group) => ({ group, bytes: group.reduce((sum, file) => sum + statSync(file).size, 0) }))
    .sort((a, b) => b.bytes - a.bytes);
  for (const { group, bytes } of folders) {
    const lightest = shards.reduce((best, shard) => (shard.bytes < best.bytes ? shard : best));
    lightest.files.push(...group);
    lightest.bytes += bytes;
  }
  return shards.map((shard, i) => ({
    name: `fast tests, part ${i + 1} of ${FAST_SHARDS}`,
    run: () => runTestFiles(shard.files, flags),
  }));
}

function fileJob(file: string): Job {
  return { name: file, needsPrograms: true, run: () => runTestFiles([file], flags) };
}

function commandJob(words: readonly string[]): Job {
  const name = words.map((word) => (word === process.execPath ? 'node' : word)).join(' ');
  return { name, run: () => runCommand(name, words) };
}

/** Runs `WIDTH` jobs at a time, and prints each result when its job ends. */
async function runJobs(jobs: readonly Job[], programs: Promise<unknown>): Promise<JobResult[]> {
  const results: JobResult[] = [];
  const waiting = jobs.values();
  const bailed = Promise.withResolvers<void>();
  const worker = async () => {
    for (const job of waiting) {
      if (job.needsPrograms) await programs;
      const startedMs = performance.now();
      const result = await job.run();
      results.push(result);
      printJob(job.name, result, performance.now() - startedMs);
      if (flags.bail && result.failures.length > 0) bailed.resolve();
    }
  };
  await Promise.race([bailed.promise, Promise.all(Array.from({ length: WIDTH }, worker))]);
  return results;
}

/** The results with those of the second try, and the files that pass only alone. */
async function tryAgainAlone(results: readonly JobResult[]): Promise<{ results: JobResult[]; unsteady: string[] }> {
  const files = [...new Set(results.flatMap(({ failures }) => failures.map(({ file }) => file)))];
  if (files.length === 0 || files.length > MAX_SECOND_TRIES) return { results: [...results], unsteady: [] };
  const again = new Map<string, JobResult>();
  for (const file of files) {
    if (file === undefined) continue; // a check, which does not depend on what runs beside it
    const startedMs = performance.now();
    const result = await runTestFiles([file]);
    printJob(`${file}, once more, alone`, result, performance.now() - startedMs);
    again.set(file, result);
  }
  const failsStill = ({ file = '' }: Failure) => again.get(file)?.failures.length !== 0;
  return {
    results: results.map((result) => ({ ...result, failures: result.failures.filter(failsStill) })),
    unsteady: [...again].flatMap(([file, { failures }]) => (failures.length === 0 ? [file] : [])),
  };
}

/** Prints wall time and processor time: the first depends on what runs beside the job. */
function printJob(name: string, { passed, failures, skips, processorMs }: JobResult, ms: number): void {
  const counts = [
    ...(passed > 0 ? [`${passed} passed`] : []),
    ...(failures.length > 0 ? [`${failures.length} FAILED`] : []),
    ...(skips.length > 0 ? [`${skips.length} skipped`] : []),
  ];
  const processor = processorMs === undefined ? '' : `(${(processorMs / 1000).toFixed(1)})`;
  console.log(
    `${(ms / 1000).toFixed(1).padStart(6)} s ${processor.padStart(7)}  ${name}${counts.length > 0 ? `: ${counts.join(', ')}` : ''}`,
  );
  for (const { title, detail, file } of failures) {
    console.log(`\n✖ ${title}\n${detail}`);
    if (file !== undefined) console.log(`Run it alone: npm test -- ${file}\n`);
  }
}

/** The last line is one that continuous integration reads. */
function printSummary(results: readonly JobResult[], unsteady: readonly string[], ms: number): void {
  const failures = results.flatMap((result) => result.failures);
  const skips = results.flatMap((result) => result.skips);
  const reasons = Map.groupBy(skips, ({ reason }) => reason);
  console.log('');
  for (const [reason, tests] of reasons) console.log(`${tests.length} tests skipped: ${reason}`);
  const packages = packagesToRun([...reasons.keys()]);
  if (packages.length > 0) console.log(`To run them: apt-get install --no-install-recommends ${packages.join(' ')}`);
  for (const file of unsteady) console.log(`Unsteady: failed beside other tests, passed alone: ${file}`);
  for (const { title, file } of failures)
    console.log(`✖ ${title}${file === undefined ? '' : ` (npm test -- ${file})`}`);
  if (!flags.all && !flags.fast && chosen.length === 0) {
    console.log('Tests with a browser, Redis, proxies and containers: npm run test:all');
  }
  const passed = results.reduce((sum, result) => sum + result.passed, 0);
  const seconds = Math.round(ms / 1000);
  console.log(`${Math.floor(seconds / 60)} min ${seconds % 60} s`);
  console.log(`${passed} passed, ${failures.length} failed, ${skips.length} skipped`);
}
