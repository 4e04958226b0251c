/** Runs one job of the test commands in a child process, and collects what it reports. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { delimiter } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface JobResult {
  readonly passed: number;
  readonly failures: readonly Failure[];
  readonly skips: readonly Skip[];
  /** Processor time of the job and of the processes that it started; undefined if it did not end well. */
  readonly processorMs?: number | undefined;
}

export interface Failure {
  readonly title: string;
  /** What was expected and what was got. */
  readonly detail: string;
  /** The test file; undefined for other jobs. */
  readonly file?: string;
}

export interface Skip {
  readonly title: string;
  readonly reason: string;
}

/** What the process of test-files.ts sends. */
export type Report =
  | { readonly kind: 'passed' }
  | ({ readonly kind: 'failed' } & Failure)
  | ({ readonly kind: 'skipped' } & Skip)
  | { readonly kind: 'ended'; readonly processorMs: number };

const PROGRAM = fileURLToPath(new URL('test-files.ts', import.meta.url));
const CODE_CACHE = fileURLToPath(new URL('../node_modules/.cache/toponym-test-code', import.meta.url));
/** New objects have more room than by default, so that a tenth of the processor time is saved: it went to collecting them. */
const FLAGS = ['--max-semi-space-size=32'];
const TOOLS = fileURLToPath(new URL('../node_modules/.bin', import.meta.url));
/** A process that runs this long hangs: the longest takes four minutes. */
const MAX_JOB_MS = 60 * 60_000;

/** `bail` ends the process at its first failure. */
export async function runTestFiles(files: readonly string[], { bail = false } = {}): Promise<JobResult> {
  const child = spawn(process.execPath, [...FLAGS, PROGRAM, ...files], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: testEnvironment(),
    detached: true, // in a process group of its own, which ends as a whole: see test-files.ts
  });
  const reports: Report[] = [];
  const kill = () => process.kill(-(child.pid ?? 0), 'SIGKILL');
  child.on('message', (report: Report) => {
    reports.push(report);
    if (bail && report.kind === 'failed') kill();
  });
  const timer = setTimeout(kill, MAX_JOB_MS);
  const { output, code, signal } = await ended(child);
  clearTimeout(timer);
  const failures = reports.filter((report) => report.kind === 'failed');
  const end = reports.find((report) => report.kind === 'ended');
  const hasEnded = end !== undefined;
  const exit = signal ?? `exit code ${code}`;
  const problem = hasEnded ? `${exit}, but no test failed` : `${exit} before the end`;
  const isExplained = failures.length > 0 && (hasEnded || bail);
  return {
    passed: reports.filter(({ kind }) => kind === 'passed').length,
    failures: [
      ...failures,
      ...(isExplained || (hasEnded && code === 0)
        ? []
        : [{ title: files.join(' '), detail: problem, ...(files.length === 1 && { file: files[0] }) }]),
    ].map((failure) => ({ ...failure, detail: `${failure.detail}${printed(output)}` })),
    skips: reports.filter((report) => report.kind === 'skipped'),
    processorMs: end?.processorMs,
  };
}

/** Tests print without colours, whatever the terminal. Cached code saves half a second of processor time per process. */
function testEnvironment(): NodeJS.ProcessEnv {
  const { FORCE_COLOR: _forced, NO_COLOR: _off, ...env } = process.env;
  return { ...env, NODE_COMPILE_CACHE: CODE_CACHE };
}

function printed(output: string): string {
  return output.trim() === '' ? '' : `\nThe process printed:\n${output.trim().slice(-5000)}`;
}

/** Runs a command, which fails if its exit code is not 0. */
export async function runCommand(title: string, [command = '', ...args]: readonly string[]): Promise<JobResult> {
  const env = { ...process.env, PATH: `${TOOLS}${delimiter}${process.env.PATH}` };
  const { output, code } = await ended(spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], env }));
  return { passed: 0, failures: code === 0 ? [] : [{ title, detail: output.trim() }], skips: [] };
}

async function ended(child: ChildProcess): Promise<{ output: string; code: number | null; signal: string | null }> {
  const chunks: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => chunks.push(chunk));
  const [code, signal] = await once(child, 'close');
  return { output: Buffer.concat(chunks).toString(), code, signal };
}
