/**
 * A clone of the project for `scripts/setup.js`: the set-up's files and a small lock file in a
 * temporary folder. A script replaces npm: it reports each call to the test and waits for orders.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { on, once } from 'node:events';
import { chmodSync, cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { withDeadline } from './deadline.ts';
import { testEnvironment } from './environment.ts';
import { OutputLines } from './output-lines.ts';
import { temporaryFolder } from './temporary-folder.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const SETUP_FILES = ['scripts', 'packages/toponym/src/node-version.js'];
export const NODE_PACKAGE = `node-linux-${process.arch}`;

const MANIFEST = {
  name: 'toponym',
  type: 'module',
  dependencies: { needed: '1.0.0' },
  devDependencies: { 'for-tests': '2.0.0' },
  optionalDependencies: { 'for-another-platform': '3.0.0', [NODE_PACKAGE]: '24.0.0' },
};
const LOCKED = {
  '': MANIFEST,
  'node_modules/needed': { version: '1.0.0' },
  'node_modules/for-tests': { version: '2.0.0', dev: true },
  'node_modules/for-another-platform': { version: '3.0.0', optional: true },
  [`node_modules/${NODE_PACKAGE}`]: { version: '24.0.0', optional: true },
};
export type Locked = keyof typeof LOCKED;

const FAKE_NPM = `
const socket = require('node:net').connect(process.env.FAKE_NPM_SOCKET);
const report = (value) => socket.write(JSON.stringify(value) + '\\n');
report(process.argv.slice(2));
socket.on('data', (data) => {
  const order = JSON.parse(data);
  if (order.exit !== undefined) process.exit(order.exit);
  process.on(order.catch, () => report(order.catch));
  report('catching');
});
`;

const PAGE_LOCKED = { 'node_modules/bundler': { version: '4.0.0' } };
/** The page is built if there is the folder web/dist. */
const BUILD_PAGE = `
import { existsSync, mkdirSync } from 'node:fs';
const dist = new URL('dist', import.meta.url);
const bundler = new URL('node_modules/.package-lock.json', import.meta.url);
export const isPageBuilt = () => existsSync(dist);
export function ensurePage() {
  if (!existsSync(bundler)) throw new Error('no bundler');
  mkdirSync(dist, { recursive: true });
}
`;

/** A running `npm`. */
export interface NpmCall {
  readonly args: readonly string[];
  exit(code: number): void;
  /** Makes the process survive the signal. The returned function waits for the signal to arrive. */
  catchSignal(signal: NodeJS.Signals): Promise<() => Promise<void>>;
  /** Resolves when the process has ended. */
  readonly ended: Promise<void>;
}

export interface SetupRun {
  readonly child: ChildProcess;
  readonly result: Promise<{ code: number | null; signal: NodeJS.Signals | null; stderr: string }>;
  /** Resolves when standard error contains a line with this text. */
  said(part: string): Promise<void>;
}

export interface SetupOptions {
  readonly args?: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
  readonly isNode20?: boolean;
}

/** Flags that make Node.js report version 20. */
export const PRETEND_NODE_20 = [
  '--import',
  `data:text/javascript,${encodeURIComponent(
    "Object.defineProperty(process, 'version', { value: 'v20.0.0' });" +
      "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.0.0' } });",
  )}`,
];

export async function aClone(context: TestContext) {
  const folder = temporaryFolder(context);
  const root = join(folder, 'clone');
  for (const file of SETUP_FILES) cpSync(join(ROOT, file), join(root, file), { recursive: true });
  const web = join(root, 'web');
  mkdirSync(join(web, 'dist'), { recursive: true });
  writeFileSync(join(web, 'build.js'), BUILD_PAGE);
  writeFileSync(join(web, 'package-lock.json'), JSON.stringify({ lockfileVersion: 3, packages: PAGE_LOCKED }));
  const installBundler = () =>
    writeFile(join(web, 'node_modules', '.package-lock.json'), JSON.stringify({ packages: PAGE_LOCKED }));
  installBundler();
  writeFileSync(join(root, 'package.json'), JSON.stringify(MANIFEST));
  writeFileSync(join(root, 'package-lock.json'), JSON.stringify({ lockfileVersion: 3, packages: LOCKED }));
  const npm = join(folder, 'npm-cli.js');
  writeFileSync(npm, FAKE_NPM);
  const server = createServer().listen(join(folder, 'npm.sock'));
  await once(server, 'listening');
  context.after(() => server.close());
  const calls = incomingCalls(server);
  const env = {
    ...testEnvironment(),
    NODE_ENV: '',
    npm_execpath: npm,
    FAKE_NPM_SOCKET: join(folder, 'npm.sock'),
  };
  return {
    folder,
    root,
    web,
    /** Writes web/node_modules as if npm had installed what bundles the page. */
    installBundler,
    /** Waits for the next start of npm. */
    npmCall: async () => (await withDeadline('npm is started', calls.next())).value as NpmCall,
    setup: (options: SetupOptions = {}) => startSetup(context, root, { ...options, env: { ...env, ...options.env } }),
    /** Writes node_modules as if npm had installed these packages. */
    install: (...packages: Locked[]) => {
      const installed = Object.fromEntries(packages.map((path) => [path, LOCKED[path]]));
      writeFile(join(root, 'node_modules', '.package-lock.json'), JSON.stringify({ packages: installed }));
    },
    /** Writes the binary of the packaged Node.js. */
    writePackagedNode: (script: string) =>
      writeProgram(join(root, 'node_modules', NODE_PACKAGE, 'bin', 'node'), script),
    /** A folder with a program `npm` for PATH. */
    npmInPath: () => {
      writeProgram(join(folder, 'bin', 'npm'), `#!/bin/sh\nexec "${process.execPath}" "${npm}" "$@"\n`);
      return join(folder, 'bin');
    },
  };
}

function startSetup(context: TestContext, root: string, { args = [], env, isNode20 }: SetupOptions): SetupRun {
  const flags = isNode20 ? PRETEND_NODE_20 : [];
  const child = spawn(process.execPath, [...flags, join(root, 'scripts', 'setup.js'), ...args], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env,
  });
  context.after(() => child.kill('SIGKILL'));
  const output = new OutputLines(child.stderr);
  const result = once(child, 'close').then(([code, signal]) => ({ code, signal, stderr: output.text }));
  return { child, result, said: (part) => output.contains(part) };
}

async function* incomingCalls(server: Server): AsyncGenerator<NpmCall> {
  for await (const [socket] of on(server, 'connection') as AsyncIterable<[Socket]>) yield await npmCallOn(socket);
}

async function npmCallOn(socket: Socket): Promise<NpmCall> {
  // a killed process resets the connection
  const ended = new Promise<void>((resolve) => socket.on('error', () => {}).on('close', () => resolve()));
  const lines = createInterface({ input: socket });
  const report = async (): Promise<unknown> => JSON.parse((await once(lines, 'line'))[0]);
  const args = (await report()) as string[];
  return {
    args,
    ended,
    exit: (code) => socket.write(JSON.stringify({ exit: code })),
    catchSignal: async (signal) => {
      socket.write(JSON.stringify({ catch: signal }));
      await report();
      const arrived = report();
      return async () => {
        await arrived;
      };
    },
  };
}

function writeProgram(path: string, script: string): void {
  writeFile(path, script);
  chmodSync(path, 0o755);
}

function writeFile(path: string, content: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}
