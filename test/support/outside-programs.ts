/**
 * Programs and files of Debian packages that tests use. Tests install nothing: without a program
 * its tests are skipped. Only `npm run test:all` installs what is missing, by `apt-get`, if CI=true
 * or if the user agrees. The services of the packages are neither started nor enabled.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, isAbsolute, join } from 'node:path';
import { createInterface } from 'node:readline/promises';

/** Package of each program, or of a file given by its full path. */
const PACKAGES = {
  bash: 'bash',
  buildah: 'buildah',
  caddy: 'caddy',
  certbot: 'certbot',
  chromium: 'chromium',
  curl: 'curl',
  faketime: 'faketime',
  fish: 'fish',
  git: 'git',
  go: 'golang-go',
  '/usr/share/gocode/src/github.com/Masterminds/sprig': 'golang-github-masterminds-sprig-dev',
  '/usr/share/gocode/src/sigs.k8s.io/yaml': 'golang-k8s-sigs-yaml-dev',
  haproxy: 'haproxy',
  ip: 'iproute2',
  jq: 'jq',
  mkcert: 'mkcert',
  mmdebstrap: 'mmdebstrap',
  nft: 'nftables',
  nginx: 'nginx',
  pebble: 'pebble',
  php: 'php-cli',
  podman: 'podman',
  promtool: 'prometheus',
  prometheus: 'prometheus',
  python3: 'python3',
  '/usr/lib/python3/dist-packages/geopy': 'python3-geopy',
  'redis-server': 'redis-server',
  ruby: 'ruby',
  '/usr/lib/ruby/vendor_ruby/geocoder': 'ruby-geocoder',
  runc: 'runc',
  'systemd-analyze': 'systemd',
  zsh: 'zsh',
} as const;

export type OutsideName = keyof typeof PACKAGES;

export interface OutsideProgram {
  /** Full path; the bare name if the program is missing. */
  readonly path: string;
  /** The `skip` option of the tests that run the program: false, or the reason. */
  readonly skip: string | false;
}

const ROOT_FOLDERS = ['/usr/local/sbin', '/usr/sbin', '/sbin'];
const INSTALL = ['install', '--yes', '--quiet', '--no-install-recommends', '--option', 'DPkg::Lock::Timeout=300'];
/** Packages ask no questions, and their services do not start now. */
const APT_ENVIRONMENT = { DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1', SYSTEMD_OFFLINE: '1' };
/** Keeps systemd from starting the services at the next boot. Exists only during the installation. */
const PRESET = '/run/systemd/system-preset/00-toponym-test.preset';

export function outsideProgram(name: OutsideName): OutsideProgram {
  const path = findProgram(name);
  return path === undefined ? { path: name, skip: `${name} is not installed` } : { path, skip: false };
}

/** The `skip` option of tests that run several programs: false, or the missing ones. */
export function skipWithout(...programs: readonly OutsideProgram[]): string | false {
  return programs.flatMap(({ skip }) => skip || []).join('; ') || false;
}

/** The packages of the programs that these `skip` options name. */
export function packagesToRun(skips: readonly string[]): string[] {
  const parts = skips.flatMap((skip) => skip.split(/; |: /));
  return packagesOf(([name]) => parts.includes(`${name} is not installed`));
}

/**
 * Returns what installs the missing packages, if CI=true or if the user agrees. Throws if CI=true and they cannot be
 * installed.
 */
export async function offerOutsidePrograms(): Promise<() => Promise<void>> {
  const isMissing = ([name]: readonly [string, string]) => findProgram(name) === undefined;
  const missing = packagesOf(isMissing);
  const isContinuousIntegration = process.env.CI === 'true';
  if (missing.length === 0 || !(isContinuousIntegration || (await agrees(missing)))) return async () => {};
  if (!canInstall())
    throw new Error(`CI=true needs packages that only root can install with apt-get: ${missing.join(' ')}`);
  return async () => {
    await install(missing);
    const left = packagesOf(isMissing);
    if (isContinuousIntegration && left.length > 0) throw new Error(`apt-get did not install ${left.join(', ')}`);
  };
}

function packagesOf(isChosen: (entry: readonly [string, string]) => boolean): string[] {
  const chosen = Object.entries(PACKAGES).filter(isChosen);
  return [...new Set(chosen.map(([, packageName]) => packageName))];
}

function findProgram(name: string): string | undefined {
  const folders = [...(process.env.PATH ?? '').split(delimiter), ...ROOT_FOLDERS];
  const paths = isAbsolute(name) ? [name] : folders.map((folder) => join(folder, name));
  return paths.find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function canInstall(): boolean {
  return process.getuid?.() === 0 && findProgram('apt-get') !== undefined;
}

async function agrees(packages: readonly string[]): Promise<boolean> {
  if (!canInstall() || !process.stdin.isTTY) return false;
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await terminal.question(
    `Install ${packages.join(', ')} with apt-get? Otherwise their tests are skipped. [y/N] `,
  );
  terminal.close();
  return /^y(es)?$/i.test(answer.trim());
}

async function install(packages: readonly string[]): Promise<void> {
  console.error(`Installing ${packages.join(', ')} with apt-get…`);
  mkdirSync(dirname(PRESET), { recursive: true });
  writeFileSync(PRESET, 'disable *\n');
  try {
    await runApt(['update', '--quiet']); // the lists may be missing or old
    await runApt([...INSTALL, ...packages]);
  } finally {
    rmSync(PRESET, { force: true });
  }
}

/** Throws if apt-get fails. */
async function runApt(args: readonly string[]): Promise<void> {
  const child = spawn('apt-get', args, {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, ...APT_ENVIRONMENT },
  });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`apt-get ${args.join(' ')} failed with exit code ${code}`);
}
