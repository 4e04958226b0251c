#!/usr/bin/env node
/**
 * Launcher of the `toponym` command: runs the program on a Node.js that is new enough. If the
 * current one is too old, it starts the Node.js in `node_modules` and passes signals and the exit
 * code through. Plain JavaScript, because the current Node.js may be old.
 */
import { spawn } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import {
  isNodeNewEnough,
  NODE_BINARY,
  NODE_PACKAGE,
  nodeTooOldMessage,
  packagedNodeUnusableMessage,
} from '../src/cli/node-version.js';
import { ignoreDebuggerSignal } from '../src/serve/held-signals.js';

ignoreDebuggerSignal();

const root = join(dirname(realpathSync(fileURLToPath(import.meta.url))), '..');
const program = join(root, 'src', 'cli', 'main.js');

if (isNodeNewEnough()) {
  process.argv[1] = program; // as if Node.js had been started with the program
  await import(pathToFileURL(program).href);
} else {
  const node = findPackagedNode();
  if (node === undefined) {
    const hint = NODE_PACKAGE === undefined ? 'Install it' : `Run "npm ci" in ${root} to get it, or install it`;
    console.error(`${nodeTooOldMessage()} ${hint} from https://nodejs.org.`);
    process.exitCode = 1;
  } else {
    runOn(node);
  }
}

/** Finds the Node.js package in this package's node_modules, or in a parent's if npm hoisted it. */
function findPackagedNode() {
  if (NODE_PACKAGE === undefined) return undefined;
  for (let folder = root; ; folder = dirname(folder)) {
    const path = join(folder, 'node_modules', NODE_PACKAGE, NODE_BINARY);
    if (existsSync(path)) return path;
    if (dirname(folder) === folder) return undefined;
  }
}

function runOn(node) {
  const child = spawn(node, ['--disable-sigusr1', program, ...process.argv.slice(2)], { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('error', (error) => {
    console.error(packagedNodeUnusableMessage(node, error.code));
    process.exit(1);
  });
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code ?? 1);
    // ends this process by the same signal
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}
