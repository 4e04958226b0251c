#!/usr/bin/env node
/**
 * The `toponym` command: starts the program on a Node.js that can run it. Plain JavaScript, because the Node.js that
 * starts it may be older; then the one from `node_modules` takes over and this process only passes signals and the
 * exit code through.
 */
import { spawn } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const NEEDED_NODE_MAJOR = 24;

const root = join(dirname(realpathSync(fileURLToPath(import.meta.url))), '..');
const program = join(root, 'src', 'cli', 'main.js');

if (Number.parseInt(process.versions.node, 10) >= NEEDED_NODE_MAJOR) {
  process.argv[1] = program;
  await import(pathToFileURL(program).href);
} else {
  runOn(packagedNode());
}

/** The Node.js of the optional dependency: inside this package's node_modules, or beside it where npm hoisted it. */
function packagedNode() {
  const file = process.platform === 'win32' ? 'node.exe' : 'node';
  const name = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
  for (let folder = root; ; folder = dirname(folder)) {
    const path = join(folder, 'node_modules', name, 'bin', file);
    if (existsSync(path)) return path;
    if (dirname(folder) === folder) break;
  }
  console.error(
    `toponym needs Node.js ${NEEDED_NODE_MAJOR} or newer and this is ${process.version}. ` +
      `Run "npm install" in ${root} to get one, or install it from https://nodejs.org.`,
  );
  process.exit(1);
}

function runOn(node) {
  const child = spawn(node, [program, ...process.argv.slice(2)], { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('error', (error) => {
    console.error(`toponym could not start ${node}: ${error.message}`);
    process.exit(1);
  });
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code ?? 1);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}
