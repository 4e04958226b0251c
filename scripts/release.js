/**
 * Makes a release: `npm run release -- 0.2.0`. It writes the version into package.json, the lock
 * file, CHANGELOG.md and the files of OTHER_VERSIONS, packs the packages and the list of
 * components (SBOM, CycloneDX) into release/, commits and tags. It pushes and publishes nothing. If
 * a step fails, no file is changed.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const VERSION = /^\d+\.\d+\.\d+(-[0-9a-z.]+)?$/;
const UNRELEASED = '## Unreleased\n';
/** Where the other packages, image, chart, workflows and their docs have the version: after the first group's text. */
const OTHER_VERSIONS = [
  ...['packages/client/package.json', 'packages/engine/published/package.json'].map((file) => {
    return { file, pattern: /^( {2}"version": ")[^"]*/gm };
  }),
  { file: 'package-lock.json', pattern: /("name": "toponym-client",\s*"version": ")[^"]*/g },
  { file: 'deploy/helm/toponym/Chart.yaml', pattern: /^((?:version|appVersion): ).*$/gm },
  { file: 'deploy/Dockerfile', pattern: /^(ARG VERSION=).*$/gm },
  { file: 'deploy/compose/compose.yaml', pattern: /^( *image: toponym:).*$/gm },
  { file: 'deploy/github-actions/nightly-index.yml', pattern: /^( *TOPONYM_VERSION: ).*$/gm },
  { file: 'deploy/github-actions/test-application.yml', pattern: /^( *TOPONYM_VERSION: ).*$/gm },
  { file: 'docs/install.md', pattern: /(registry\.example\.com\/toponym:)\S+/g },
  ...['docs/install.md', 'docs/library.md', 'docs/client.md', 'docs/guides/agents.md', 'docs/guides/search-box.md'].map(
    (file) => ({ file, pattern: /(\btoponym-(?:client-|engine-)?)\d[\w.-]*(?=\.tgz)/g }),
  ),
];
const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..');
const ARTIFACTS = join(ROOT, 'release');

const [version = ''] = process.argv.slice(2);
const problem = findProblem();
if (problem === undefined) {
  release();
} else {
  console.error(`No release was made: ${problem}`);
  process.exitCode = 1;
}

/** Why this version cannot be released now; undefined if it can. */
function findProblem() {
  if (!VERSION.test(version)) return `the version must be like 1.2.3 or 1.2.3-rc.1, got "${version}".`;
  const changed = git('status', '--porcelain').trim();
  if (changed !== '') return `commit or remove these changes first:\n${changed}`;
  if (git('tag', '--list', `v${version}`) !== '') return `the tag v${version} exists.`;
  const [, notes = ''] = read('CHANGELOG.md').split(UNRELEASED);
  if (/^\s*(## |$)/.test(notes)) return 'CHANGELOG.md has nothing under "Unreleased".';
  return undefined;
}

function release() {
  const commitBefore = git('rev-parse', 'HEAD').trim();
  const tarballs = ['toponym', 'toponym-client', 'toponym-engine'].map((name) =>
    join(ARTIFACTS, `${name}-${version}.tgz`),
  );
  const components = join(ARTIFACTS, `toponym-${version}.cdx.json`);
  try {
    writeVersion();
    mkdirSync(ARTIFACTS, { recursive: true });
    run('npm', 'run', 'pack', '--', '--out', ARTIFACTS);
    writeFileSync(components, componentList());
    git('commit', '--all', '--message', `Release ${version}`);
    git('tag', '--annotate', `v${version}`, '--message', `Toponym ${version}`);
  } catch (error) {
    git('reset', '--hard', commitBefore);
    for (const file of [...tarballs, components]) rmSync(file, { force: true });
    console.error(`No release was made: ${/** @type {Error} */ (error).message}`);
    process.exitCode = 1;
    return;
  }
  console.log(`Released ${version}: commit and tag v${version}, files in ${ARTIFACTS}. To publish:`);
  console.log('  git push --follow-tags');
  console.log('  npm run publish:all');
}

function writeVersion() {
  run('npm', 'version', version, '--no-git-tag-version', '--allow-same-version');
  const today = new Date().toISOString().slice(0, 10);
  write('CHANGELOG.md', read('CHANGELOG.md').replace(UNRELEASED, `${UNRELEASED}\n## ${version} - ${today}\n`));
  for (const { file, pattern } of OTHER_VERSIONS) {
    const text = read(file);
    if (text.search(pattern) === -1) throw new Error(`${file} has no version: nothing matches ${pattern}.`);
    write(
      file,
      text.replaceAll(pattern, (_line, before) => before + version),
    );
  }
}

/** The packages that an installation has, as CycloneDX. Clones alone have those of workspaces. */
function componentList() {
  const json = run(
    'npm',
    'sbom',
    '--sbom-format',
    'cyclonedx',
    '--omit',
    'dev',
    '--workspaces=false',
    '--package-lock-only',
  );
  const list = JSON.parse(json);
  list.metadata.component.name = 'toponym'; // npm writes the name of the folder
  return `${JSON.stringify(list, null, 2)}\n`;
}

/** @param {string} file */
function read(file) {
  return readFileSync(join(ROOT, file), 'utf8');
}

/**
 * @param {string} file
 * @param {string} text
 */
function write(file, text) {
  writeFileSync(join(ROOT, file), text);
}

/** @param {string[]} args */
function git(...args) {
  return run('git', ...args);
}

/**
 * Runs a command. Throws if it fails.
 * @param {string} command
 * @param {string[]} args
 */
function run(command, ...args) {
  return execFileSync(command, args, { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
}
