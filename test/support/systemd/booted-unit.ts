/** A unit that real systemd runs, as process 1 of namespaces of its own (see boot.sh). */
import { execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { waitUntil } from '../deadline.ts';
import { OutputLines } from '../output-lines.ts';
import { outsideProgram } from '../outside-programs.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const REPOSITORY = fileURLToPath(new URL('../../..', import.meta.url));
const BOOT = fileURLToPath(new URL('boot.sh', import.meta.url));
const run = promisify(execFile);

export interface BootedUnit {
  /** Text of a file as systemd sees it; empty if there is none. */
  read(path: string): string;
  /** Writes a file that only root can read. */
  write(path: string, content: string | Buffer): void;
  /** Runs a program in the namespaces of systemd and returns its output. */
  run(program: string, ...args: string[]): Promise<string>;
  /** A property of the service, such as MainPID. */
  property(name: string): Promise<string>;
}

/** What boot.sh needs of the kernel: an overlay, and control groups of its own. */
const PROBE = `
  mount -t tmpfs tmpfs /mnt
  mkdir /mnt/upper /mnt/work /mnt/root /mnt/groups
  mount -t overlay overlay -o lowerdir=/,upperdir=/mnt/upper,workdir=/mnt/work /mnt/root
  mount -t cgroup2 cgroup2 /mnt/groups
  mkdir /mnt/groups/toponym-probe-$$
  rmdir /mnt/groups/toponym-probe-$$
`;

/**
 * The `skip` option of tests that boot systemd: false, or the reason. Programs can be installed, so
 * they must be there if CI=true. A kernel that forbids namespaces cannot be helped.
 */
export async function whyNotBootable(): Promise<string | false> {
  const systemd = outsideProgram('systemd-analyze');
  const ip = outsideProgram('ip');
  if (systemd.skip || ip.skip) return systemd.skip || ip.skip;
  const probe = spawnSync('unshare', ['--mount', '--pid', '--fork', '--net', '--cgroup', 'sh', '-ec', PROBE]);
  return probe.status === 0 ? false : `systemd cannot be booted in namespaces here: ${String(probe.stderr).trim()}`;
}

/** Boots systemd with a unit and a drop-in, and ends it after the test. */
export async function bootUnit(context: TestContext, unit: string, dropIn: string): Promise<BootedUnit> {
  const folder = mkdtempSync(join(tmpdir(), 'toponym-test-'));
  const dropInFile = join(temporaryFolder(context), 'test.conf');
  writeFileSync(dropInFile, dropIn);
  const boot = spawn('unshare', ['--mount', 'bash', BOOT, folder, REPOSITORY, process.execPath, unit, dropInFile], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const bootPid = boot.pid ?? 0;
  const output = new OutputLines(boot.stderr);
  const exit = once(boot, 'exit');
  context.after(async () => {
    process.kill(findSystemd(bootPid) ?? bootPid, 'SIGKILL');
    await exit; // boot.sh removes the control groups, and needs the folder until then
    rmSync(folder, { recursive: true });
  });
  let systemd: number | undefined;
  await waitUntil('systemd runs', () => {
    if (boot.exitCode !== null) throw new Error(`systemd did not boot:\n${output.text}`);
    systemd = findSystemd(bootPid);
    return systemd !== undefined && existsSync(`/proc/${systemd}/root/run/systemd/private`);
  });
  const enter = ['--target', String(systemd), '--mount', '--pid', '--net', '--root', '--wd'];
  const runInside = async (...command: string[]) => (await run('nsenter', [...enter, ...command])).stdout;
  return {
    read: (path) => readIfThere(`/proc/${systemd}/root${path}`),
    write: (path, content) => {
      const file = `/proc/${systemd}/root${path}`;
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, content, { mode: 0o600 });
    },
    run: runInside,
    property: async (name) =>
      (await runInside('systemctl', 'show', '--value', '--property', name, 'toponym.service')).trim(),
  };
}

/** boot.sh starts unshare, and unshare starts systemd. */
function findSystemd(bootPid: number): number | undefined {
  const nameOf = (pid: number) => readIfThere(`/proc/${pid}/comm`).trim();
  return descendantsOf(bootPid).find((pid) => nameOf(pid) === 'systemd');
}

function descendantsOf(pid: number): number[] {
  const children = readIfThere(`/proc/${pid}/task/${pid}/children`).match(/\d+/g) ?? [];
  return children.map(Number).flatMap((child) => [child, ...descendantsOf(child)]);
}

function readIfThere(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
