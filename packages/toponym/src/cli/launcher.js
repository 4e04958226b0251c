/**
 * Runs the program on a Node.js that is new enough. If the current one is too old, it starts the
 * Node.js that a clone has in `node_modules`, and passes signals and the exit code through. The
 * published package brings no Node.js. Plain JavaScript, because the current Node.js may be old.
 */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import {
  isNodeNewEnough,
  NODE_BINARY,
  NODE_PACKAGE,
  nodeTooOldMessage,
  packagedNodeUnusableMessage,
} from '../node-version.js';
import { ignoreDebuggerSignal } from './held-signals.js';
import { root as rootUrl } from './root.js';

ignoreDebuggerSignal();

const folder = dirname(fileURLToPath(import.meta.url));
const program = join(folder, 'main.js');
const root = resolve(fileURLToPath(rootUrl));

if (isNodeNewEnough()) {
  process.argv[1] = program; // as if Node.js had been started with the program
  await import(pathToFileURL(program).href);
} else {
  const node = findPackagedNode();
  if (node === undefined) {
    const isClone = existsSync(join(root, 'package-lock.json'));
    const hint = isClone && NODE_PACKAGE ? `Run "npm ci" in ${root} to get it, or install it` : 'Install it';
    console.error(`${nodeTooOldMessage()} ${hint} from https://nodejs.org.`);
    process.exitCode = 1;
  } else {
    runOn(node);
  }
}

function findPackagedNode() {
  if (NODE_PACKAGE === undefined) return undefined;
  const path = join(root, 'node_modules', NODE_PACKAGE, NODE_BINARY);
  return existsSync(path) ? path : undefined;
}

/** @param {string} node path of a Node.js binary */
function runOn(node) {
  const child = spawn(node, ['--disable-sigusr1', program, ...process.argv.slice(2)], { stdio: 'inherit' });
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
    process.on(signal, () => child.kill(signal));
  }
  child.on('error', (/** @type {NodeJS.ErrnoException} */ error) => {
    console.error(packagedNodeUnusableMessage(node, error.code ?? error.message));
    process.exit(1);
  });
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code ?? 1);
    // ends this process by the same signal
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}
