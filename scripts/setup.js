/**
 * Makes a clone ready before `npm start`, `npm test` and `npm run check`: installs the locked dependencies when
 * they are missing or out of date, among them a Node.js 24 for machines whose own is older. Silent and quick when there
 * is nothing to do. Plain JavaScript without dependencies, because it must run on Node.js 20 before anything is installed.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const NEEDED_NODE_MAJOR = 24;
/** Platforms for which an npm package carries a Node.js 24; see optionalDependencies in package.json. */
const PLATFORMS_WITH_NODE_PACKAGE = ['linux-x64', 'linux-arm64', 'win32-x64'];

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const platform = `${process.platform}-${process.arch}`;

if (!isNodeNewEnough() && !PLATFORMS_WITH_NODE_PACKAGE.includes(platform)) fail(nodeTooOld());
if (!isInstalled()) {
  install();
  if (!isNodeNewEnough() && !hasPackagedNode()) fail(nodeTooOld());
}

function isInstalled() {
  const installed = readPackages('node_modules/.package-lock.json');
  if (installed === undefined) return false;
  for (const [path, locked] of Object.entries(readPackages('package-lock.json') ?? {})) {
    if (path === '') continue;
    const present = installed[path];
    // an optional package may be absent: it can be for another platform, or not have been wanted
    if (present === undefined ? !locked.optional : present.version !== locked.version) return false;
  }
  return isNodeNewEnough() || hasPackagedNode();
}

function readPackages(file) {
  const path = join(root, file);
  if (!existsSync(path)) return undefined;
  try {
    return JSON.parse(readFileSync(path, 'utf8')).packages;
  } catch {
    return undefined;
  }
}

function isNodeNewEnough() {
  return Number.parseInt(process.versions.node, 10) >= NEEDED_NODE_MAJOR;
}

function hasPackagedNode() {
  const name = process.platform === 'win32' ? 'node.cmd' : 'node';
  return existsSync(join(root, 'node_modules', '.bin', name));
}

function install() {
  console.error('Installing dependencies…');
  // Not `npm ci`: it refuses the lock file wherever the registry lacks a package for some other platform.
  // With --no-save the locked versions are installed and neither package.json nor the lock file is written.
  const args = ['install', '--no-save', '--no-audit', '--no-fund'];
  // the outer npm's Node.js: the one in node_modules may be replaced by what is being installed
  const node = process.env.npm_node_execpath ?? process.execPath;
  const npm = process.env.npm_execpath;
  const run = npm
    ? spawnSync(node, [npm, ...args], { cwd: root, stdio: ['ignore', 2, 2] })
    : spawnSync('npm', args, { cwd: root, stdio: ['ignore', 2, 2], shell: process.platform === 'win32' });
  if (run.error) fail(`npm could not be started: ${run.error.message}`);
  if (run.status !== 0) fail(`npm install failed (exit code ${run.status ?? run.signal}); its messages are above.`);
}

function nodeTooOld() {
  return (
    `Toponym needs Node.js ${NEEDED_NODE_MAJOR} or newer. This is ${process.version}, and there is no npm package that ` +
    `brings a newer one for ${platform}: install it from https://nodejs.org and run the command again.`
  );
}

function fail(message) {
  console.error(message);
  process.exit(1);
}
