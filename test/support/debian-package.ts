/**
 * Programs of Debian packages that tests run. A missing program is installed if the tests run as
 * root on a system with apt-get. Otherwise its tests are skipped, or fail if CI=true. Services of
 * the packages are neither started nor enabled. CONTRIBUTING.md lists the packages.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';

export interface DebianProgram {
  /** Full path; the bare name if the program is missing. */
  readonly path: string;
  /** The `skip` option of the tests that run the program: false, or the reason. */
  readonly skip: string | false;
}

const ROOT_FOLDERS = ['/usr/local/sbin', '/usr/sbin', '/sbin'];
/** The flock command lets one test file at a time run apt-get. */
const LOCK_FILE = join(tmpdir(), 'toponym-test-apt.lock');
const APT_OPTIONS = ['--yes', '--quiet', '--option', 'DPkg::Lock::Timeout=300'];
/** Packages ask no questions, and their services do not start now. */
const APT_ENVIRONMENT = { DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1', SYSTEMD_OFFLINE: '1' };

/** Folder of systemd's presets. Ours exists only while a package is being installed. */
const PRESETS = 'run/systemd/system-preset';

/** Finds or installs a program. Its package has the same name unless `packageName` is given. */
export async function debianProgram(
  name: string,
  { packageName = name, env = process.env }: { packageName?: string; env?: NodeJS.ProcessEnv } = {},
): Promise<DebianProgram> {
  const problem = findProgram(name) === undefined ? await installPackage(packageName) : undefined;
  const path = findProgram(name);
  if (path !== undefined) return { path, skip: false };
  const reason = `${name} is not installed: ${problem ?? `the package ${packageName} does not contain it`}`;
  if (env.CI === 'true') throw new Error(reason);
  return { path: name, skip: reason };
}

function findProgram(name: string): string | undefined {
  const folders = [...(process.env.PATH ?? '').split(delimiter), ...ROOT_FOLDERS];
  return folders.map((folder) => join(folder, name)).find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Returns why the package could not be installed; undefined if it was. */
async function installPackage(packageName: string): Promise<string | undefined> {
  if (findProgram('apt-get') === undefined) return 'this system has no apt-get';
  if (process.getuid?.() !== 0) return `only root can run apt-get install ${packageName}`;
  const install = ['install', '--no-install-recommends', packageName];
  const preset = presetDisabled(packageName);
  try {
    if ((await runApt(install)) === undefined) return undefined;
    await runApt(['update']); // the lists may be missing or old
    return await runApt(install);
  } finally {
    rmSync(preset, { force: true });
  }
}

/** Makes a new service of this name disabled. Returns the file, which the caller removes. */
export function presetDisabled(service: string, root = '/'): string {
  const file = join(root, PRESETS, `00-toponym-test-${service}.preset`);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `disable ${service}.service\n`);
  return file;
}

/** Returns the last line of the error output; undefined if apt-get succeeded. */
async function runApt(args: readonly string[]): Promise<string | undefined> {
  const child = spawn('flock', [LOCK_FILE, 'apt-get', ...APT_OPTIONS, ...args], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, ...APT_ENVIRONMENT },
  });
  const [errors, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  return code === 0 ? undefined : (errors.trim().split('\n').at(-1) ?? 'apt-get failed');
}
