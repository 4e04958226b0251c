/**
 * Publishes `toponym-engine`, `toponym-client` and `toponym`: `npm run publish:all`, on the commit that `npm run
 * release` has tagged. It publishes the tarballs in release/, and makes them if they are missing. If one
 * could not be published, the next run continues with it. CI that can prove where it runs
 * adds npm's provenance. The registry and the token are those of npm's settings.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..');
const { version } = readManifest('package.json');
// npm takes a path without ./ for a repository on GitHub
const PACKAGES = ['packages/engine/published', 'packages/client', '.'].map((folder) => {
  const manifest = readManifest(join(folder, 'package.json'));
  return { name: manifest.name, version: manifest.version, tarball: `./release/${manifest.name}-${version}.tgz` };
});

try {
  publishAll();
} catch (error) {
  console.error(`Not everything was published: ${/** @type {Error} */ (error).message}`);
  process.exitCode = 1;
}

function publishAll() {
  checkCommit();
  if (PACKAGES.some(({ tarball }) => !existsSync(join(ROOT, tarball)))) {
    run('npm', ['run', 'pack', '--', '--out', join(ROOT, 'release')], 'inherit');
  }
  const missing = PACKAGES.filter(({ name, tarball }) => !isPublished(name, tarball));
  if (missing.length === 0) throw new Error(`the registry has version ${version} of all packages.`);
  for (const { tarball } of missing) {
    const flags = ['--tag', version.includes('-') ? 'next' : 'latest', ...(hasIdentity() ? ['--provenance'] : [])];
    const { status } = run('npm', ['publish', tarball, ...flags], 'inherit');
    if (status !== 0) throw new Error(`npm publish ${tarball} failed. Run the command again to continue.`);
  }
  console.log(`Published ${missing.map(({ name }) => `${name}@${version}`).join(', ')}.`);
}

function checkCommit() {
  const other = PACKAGES.find((each) => each.version !== version);
  if (other !== undefined) throw new Error(`toponym is of version ${version}, and ${other.name} of ${other.version}.`);
  const changed = run('git', ['status', '--porcelain']).stdout.trim();
  if (changed !== '') throw new Error(`commit or remove these changes first:\n${changed}`);
  if (!run('git', ['tag', '--points-at', 'HEAD']).stdout.split('\n').includes(`v${version}`)) {
    throw new Error(`this commit has no tag v${version}, which "npm run release" makes.`);
  }
}

/**
 * Whether the registry has this version. Throws if it has other content under the name and version.
 * @param {string} name
 * @param {string} tarball
 */
function isPublished(name, tarball) {
  const { status, stdout, stderr } = run('npm', ['view', `${name}@${version}`, 'dist.integrity', '--json']);
  const answer = stdout.trim() === '' ? undefined : JSON.parse(stdout);
  if (status !== 0 && answer?.error?.code === 'E404') return false;
  if (status !== 0) throw new Error(`the registry did not say whether it has ${name}@${version}:\n${stderr}`);
  if (answer === undefined) return false;
  const own = `sha512-${createHash('sha512')
    .update(readFileSync(join(ROOT, tarball)))
    .digest('base64')}`;
  if (answer !== own) throw new Error(`the registry has another ${name}@${version} than ${tarball}.`);
  console.log(`The registry has ${name}@${version} already.`);
  return true;
}

/** Whether this is a job of GitHub or GitLab that may ask for the token with which npm proves its origin. */
function hasIdentity() {
  return Boolean(process.env.ACTIONS_ID_TOKEN_REQUEST_URL ?? process.env.SIGSTORE_ID_TOKEN);
}

/** @param {string} file */
function readManifest(file) {
  return JSON.parse(readFileSync(join(ROOT, file), 'utf8'));
}

/**
 * @param {string} command
 * @param {string[]} args
 * @param {'pipe' | 'inherit'} output
 */
function run(command, args, output = 'pipe') {
  const result = spawnSync(command, args, { cwd: ROOT, encoding: 'utf8', stdio: ['inherit', output, output] });
  if (result.error) throw result.error;
  return result;
}
