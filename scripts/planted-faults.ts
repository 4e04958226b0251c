/**
 * Shows what the tests find: plants faults in packages/, one at a time, and runs the tests on each. First
 * the fast tests run and, if the fault survives, the other tests of its folder. A fault is found if
 * tests fail that pass without it.
 *
 *   npm run planted-faults                       ten faults in each of six folders
 *   npm run planted-faults -- --folder http      ten in one folder
 *   npm run planted-faults -- --seed 2           other faults
 *
 * It works on a copy of the clone in a temporary folder, where the fast tests must pass.
 */
import { spawn } from 'node:child_process';
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { seededRandom } from '../test/support/seeded-random.ts';
import { type Fault, faultSites } from './fault-sites.ts';
import { linkPackages } from './link-packages.ts';

const FOLDERS = ['engine', 'http', 'access', 'serve', 'sources', 'cli'];
const COPIED = ['bench', 'bin', 'deploy', 'docs', 'faults', 'packages', 'scripts', 'tables', 'test', 'web'];
/** A run that takes longer hangs, so its fault is found. */
const MAX_FAST_MS = 180_000;
const MAX_SLOWER_MS = 900_000;

type Outcome = 'found by test:fast' | 'found by slower tests' | 'SURVIVED';

const { values } = parseArgs({
  options: {
    folder: { type: 'string', multiple: true, default: FOLDERS },
    count: { type: 'string', default: '10' },
    seed: { type: 'string', default: '1' },
  },
});
const faults = values.folder.flatMap((folder) => chooseFaults(folder, Number(values.count), Number(values.seed)));
const outcomes: { readonly fault: Fault; readonly outcome: Outcome }[] = [];
const waiting = faults.values();
await Promise.all(Array.from({ length: availableParallelism() }, plantAll));
printSummary();

/** Takes faults from the queue, and plants each in a copy of the clone. */
async function plantAll(): Promise<void> {
  const copy = copyClone();
  try {
    const failed = await failedFiles(copy, ['--fast'], MAX_SLOWER_MS);
    if (failed.length > 0) throw new Error(`Without a fault, tests fail in a copy of this clone: ${failed}.`);
    for (const fault of waiting) {
      const outcome = await tryFault(copy, fault);
      outcomes.push({ fault, outcome });
      console.log(`${outcome}: ${fault.kind}, ${fault.file}:${fault.line}\n  - ${fault.before}\n  + ${fault.after}`);
    }
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

function copyClone(): string {
  const copy = mkdtempSync(join(tmpdir(), 'toponym-planted-'));
  for (const path of [...COPIED, ...globSync('*.{json,md}'), 'LICENSE', 'NOTICE']) {
    const isOwn = (source: string) => !source.includes('node_modules');
    cpSync(path, join(copy, path), { recursive: true, filter: isOwn, verbatimSymlinks: true });
  }
  linkPackages(process.cwd(), copy);
  symlinkSync(join(process.cwd(), 'web', 'node_modules'), join(copy, 'web', 'node_modules'));
  return copy;
}

async function tryFault(copy: string, fault: Fault): Promise<Outcome> {
  const tests = (pattern: string) =>
    globSync([`packages/*/test/${fault.folder}/**/${pattern}`, `packages/${fault.folder}/test/**/${pattern}`]);
  // the fast tests of the folder first, because they find most faults
  for (const fast of [tests('!(*.slow|*.outside).test.ts'), ['--fast']])
    if (await isFoundBy(copy, fault, fast, MAX_FAST_MS)) return 'found by test:fast';
  const slower = tests('*.{slow,outside}.test.ts');
  return (await isFoundBy(copy, fault, slower, MAX_SLOWER_MS)) ? 'found by slower tests' : 'SURVIVED';
}

async function isFoundBy(copy: string, fault: Fault, args: readonly string[], maxMs: number): Promise<boolean> {
  if (args.length === 0) return false;
  const path = join(copy, fault.file);
  const healthy = readFileSync(path, 'utf8');
  writeFileSync(path, fault.text);
  const failed = await failedFiles(copy, args, maxMs);
  writeFileSync(path, healthy);
  if (failed === 'hangs') return true;
  if (failed.length === 0) return false;
  const failedAnyway = await failedFiles(copy, failed, maxMs);
  return failedAnyway !== 'hangs' && failed.some((file) => !failedAnyway.includes(file));
}

/** Runs tests, and returns the files with a failure. */
async function failedFiles(copy: string, args: readonly string[], maxMs: number): Promise<readonly string[] | 'hangs'> {
  const child = spawn(process.execPath, ['scripts/test.ts', '--bail', ...args], {
    cwd: copy,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let hangs = false;
  const timer = setTimeout(() => {
    hangs = true;
    child.kill();
  }, maxMs);
  const output = await text(child.stdout);
  clearTimeout(timer);
  return hangs
    ? 'hangs'
    : [...new Set(Array.from(output.matchAll(/^✖ .* \(npm test -- (.*)\)$/gm), ([, file]) => file ?? ''))];
}

/** Chooses faults of one kind after the other, each in another line. */
function chooseFaults(folder: string, count: number, seed: number): Fault[] {
  const random = seededRandom(seed);
  const sites = globSync([`packages/*/src/${folder}/**/*.ts`, `packages/${folder}/src/**/*.ts`])
    .sort()
    .flatMap((file) => faultSites(folder, file));
  const byKind = [...Map.groupBy(sites, ({ kind }) => kind).values()];
  const chosen = new Map<string, Fault>();
  for (let turn = 0; chosen.size < count && byKind.some((kind) => kind.length > 0); turn++) {
    const kind = byKind[turn % byKind.length] ?? [];
    const [fault] = kind.splice(random(kind.length), 1);
    if (fault !== undefined) chosen.set(`${fault.file}:${fault.line}`, fault);
  }
  return [...chosen.values()];
}

function printSummary(): void {
  const counted = (folder: string | undefined, outcome: Outcome) =>
    outcomes.filter((each) => (folder === undefined || each.fault.folder === folder) && each.outcome === outcome)
      .length;
  console.log('\n| folder | found by test:fast | found by slower tests | survived |\n| --- | --- | --- | --- |');
  for (const folder of [...values.folder, undefined]) {
    const counts = (['found by test:fast', 'found by slower tests', 'SURVIVED'] as const).map((each) =>
      counted(folder, each),
    );
    console.log(`| ${folder ?? 'all'} | ${counts.join(' | ')} |`);
  }
}
