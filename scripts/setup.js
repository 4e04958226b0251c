/**
 * Prepares a clone before `npm start`, `npm test` and the other scripts: installs the locked
 * dependencies if any are missing or outdated, including Node.js 24 for machines with an older one,
 * and bundles the page at `/` if its sources have changed. It prints nothing if all is in place. `--dev`
 * includes the development dependencies, and keeps the page's, which are not needed once it is bundled.
 *
 * Plain JavaScript without dependencies, because it runs on Node.js 20 before the installation.
 */
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  isNodeNewEnough,
  NEEDED_NODE_MAJOR,
  NODE_BINARY,
  NODE_PACKAGE,
  nodeTooOldMessage,
  PLATFORM,
  packagedNodeUnusableMessage,
} from '../packages/toponym/src/node-version.js';
import { ensurePage, isPageBuilt } from '../web/build.js';
import { withInstallLock } from './install-lock.js';
import { missingPackages } from './missing-packages.js';
import { installPackages } from './npm-ci.js';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const web = join(root, 'web');
const PAGE_NEEDS = { needsDev: false, nodePackage: undefined };
const needs = { needsDev: process.argv.includes('--dev'), nodePackage: isNodeNewEnough() ? undefined : NODE_PACKAGE };

try {
  if (!isNodeNewEnough() && NODE_PACKAGE === undefined) throw new Error(noNodePackageMessage());
  if (missingPackages(root, needs).length > 0) await withInstallLock(root, () => install(root, needs));
  if (!isNodeNewEnough()) checkPackagedNode();
  if (!isPageReady()) await withInstallLock(root, preparePage); // so that two processes do not write the same files
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}

/**
 * Runs with the lock held, and checks again, because the previous holder may have installed all.
 */
async function install(folder, needs) {
  if (missingPackages(folder, needs).length === 0) return;
  const what = folder === root ? 'dependencies' : "the page's dependencies";
  console.error(`Installing ${what} with npm. This is done once…`);
  await installPackages(folder, needs);
  const missing = missingPackages(folder, needs);
  if (missing.length > 0) throw new Error(stillMissingMessage(missing, relative(root, join(folder, 'node_modules'))));
}

function isPageReady() {
  return isPageBuilt() && !(needs.needsDev && missingPackages(web, PAGE_NEEDS).length > 0);
}

/** Bundles the page. Packages that it installs only for that are removed again. */
async function preparePage() {
  if (isPageReady()) return;
  const isTemporary = !needs.needsDev && missingPackages(web, PAGE_NEEDS).length > 0;
  await install(web, PAGE_NEEDS);
  await ensurePage();
  if (!isTemporary) return;
  rmSync(join(web, 'node_modules', '.package-lock.json')); // first: without it, what is left counts as missing
  rmSync(join(web, 'node_modules'), { recursive: true, force: true });
}

/** npm ignores failed downloads of optional packages, and the packaged Node.js is one of them. */
function stillMissingMessage(missing, folder) {
  const names = missing.map((path) => path.replace(/^.*node_modules\//, '')).join(', ');
  const isOnlyNode = missing.length === 1 && names === NODE_PACKAGE;
  return isOnlyNode
    ? `${nodeTooOldMessage()} npm did not install ${names}, the optional package with a newer one: the download failed, or npm ` +
        `is configured to omit optional packages. Run "npm ci --include=optional", or install Node.js ${NEEDED_NODE_MAJOR} from ` +
        'https://nodejs.org.'
    : `npm reported success but did not install: ${names}. Delete the folder ${folder} and run the command again.`;
}

function noNodePackageMessage() {
  return (
    `${nodeTooOldMessage()} There is no npm package with a newer Node.js for ${PLATFORM}: install Node.js ${NEEDED_NODE_MAJOR} ` +
    'from https://nodejs.org and run the command again.'
  );
}

function checkPackagedNode() {
  const path = join(root, 'node_modules', NODE_PACKAGE, NODE_BINARY);
  const run = spawnSync(path, ['--version'], { encoding: 'utf8' });
  if (run.status === 0) return;
  const reason = run.error?.code ?? (run.stderr.trim().split('\n')[0] || `exit code ${run.status ?? run.signal}`);
  throw new Error(packagedNodeUnusableMessage(path, reason));
}
