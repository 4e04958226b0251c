/**
 * Replacements of base images, for machines without a container engine: root folders unpacked from
 * Debian's packages, with the files of the image that the Dockerfile needs.
 */
import { cpSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runCommand } from './run-command.ts';

export interface BaseImage {
  readonly env: ReadonlyMap<string, string>;
  /** Fills an empty root folder. `work` is a folder for downloads. */
  unpack(root: string, work: string): Promise<void>;
}

const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
const DEBIAN_RELEASE = 'trixie';
export const DEBIAN_KEYRING = '/usr/share/keyrings/debian-archive-keyring.gpg';
/** The npm of Node.js 24. */
const NPM_PACKAGE = 'npm@11';
/** The packages of Node's slim image that build steps use. apt-get adds what these need. */
const PACKAGES = [
  ...['base-files', 'dash', 'bash', 'coreutils', 'findutils', 'grep', 'sed', 'dpkg', 'libc-bin'],
  ...['libstdc++6', 'ca-certificates'],
];

/** Finds the replacement of an image. Throws if there is none. */
export function findBaseImage(name: string): BaseImage {
  if (name === 'scratch') return { env: new Map(), unpack: async () => {} };
  const nodeVersion = /^docker\.io\/library\/node:(\d+\.\d+\.\d+)-trixie-slim$/.exec(name)?.[1];
  if (nodeVersion !== undefined) return nodeImage(nodeVersion);
  throw new Error(
    `There is no replacement of the base image ${name}, only of docker.io/library/node:VERSION-trixie-slim and scratch.`,
  );
}

function nodeImage(version: string): BaseImage {
  return {
    env: new Map([['PATH', PATH]]),
    unpack: async (root, work) => {
      await unpackPackages(root, work);
      writeFileSync(join(root, 'etc/passwd'), 'root:x:0:0:root:/root:/bin/sh\n');
      writeFileSync(join(root, 'etc/group'), 'root:x:0:\n');
      await copyNode(join(root, 'usr/local'), version);
    },
  };
}

/** Copies the Node.js that is installed in this clone, and installs npm from its package. */
async function copyNode(prefix: string, version: string): Promise<void> {
  const folder = fileURLToPath(new URL(`../../node_modules/node-linux-${process.arch}`, import.meta.url));
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string };
  if (manifest.version !== version) {
    throw new Error(`The Dockerfile's Node.js is ${version}, but the clone's is ${manifest.version}: use one version.`);
  }
  mkdirSync(join(prefix, 'bin'), { recursive: true });
  cpSync(join(folder, 'bin/node'), join(prefix, 'bin/node'));
  await runCommand(['npm', 'install', '--global', '--prefix', prefix, '--no-fund', '--no-audit', NPM_PACKAGE]);
}

async function unpackPackages(root: string, work: string): Promise<void> {
  const env = { ...process.env, APT_CONFIG: writeAptConfig(work, await debianMirror()) };
  await runCommand(['apt-get', '--quiet', 'update'], { env });
  await runCommand(['apt-get', '--quiet', '--yes', '--download-only', 'install', ...PACKAGES], { env });
  const archives = join(work, 'cache/archives');
  const files = globSync('*.deb', { cwd: archives }).map((name) => join(archives, name));
  // base-files comes first: it has the links /bin and /lib, which other packages write through
  files.sort((a, b) => Number(b.includes('/base-files_')) - Number(a.includes('/base-files_')));
  for (const file of files) await runCommand(['dpkg-deb', '--extract', file, root]);
  await writePackageStatus(root, files);
}

/** Writes the list of installed packages. */
async function writePackageStatus(root: string, files: readonly string[]): Promise<void> {
  const entries = await Promise.all(files.map((file) => runCommand(['dpkg-deb', '--field', file])));
  mkdirSync(join(root, 'var/lib/dpkg'), { recursive: true });
  const status = entries.map((entry) => entry.replace('\n', '\nStatus: install ok installed\n')).join('\n');
  writeFileSync(join(root, 'var/lib/dpkg/status'), status);
}

/** The URL of the mirror of Debian that this machine uses. */
async function debianMirror(): Promise<string> {
  const urls = await runCommand(['apt-get', 'indextargets', '--format', '$(REPO_URI)', 'Created-By: Packages']);
  const mirror = urls.split('\n').find((url) => /\/debian\/?$/.test(url));
  if (mirror === undefined)
    throw new Error('The sources of apt-get name no mirror of Debian, such as https://…/debian.');
  return mirror;
}

/** Writes a configuration that leaves the machine's own lists and packages alone. */
function writeAptConfig(work: string, mirror: string): string {
  for (const folder of ['lists/partial', 'cache/archives/partial']) mkdirSync(join(work, folder), { recursive: true });
  const sources = join(work, 'sources.list');
  writeFileSync(sources, `deb [signed-by=${DEBIAN_KEYRING}] ${mirror} ${DEBIAN_RELEASE} main\n`);
  const options = {
    'Dir::State': work,
    'Dir::State::status': '/dev/null', // no package counts as installed
    'Dir::Cache': join(work, 'cache'),
    'Dir::Etc::SourceList': sources,
    'Dir::Etc::SourceParts': '/dev/null',
    'APT::Sandbox::User': 'root',
    'APT::Install-Recommends': 'false',
    'Acquire::Languages': 'none',
  };
  const path = join(work, 'apt.conf');
  writeFileSync(
    path,
    Object.entries(options)
      .map(([key, value]) => `${key} "${value}";\n`)
      .join(''),
  );
  return path;
}
