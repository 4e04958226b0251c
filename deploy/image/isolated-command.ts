/**
 * Command lines that run a program in the root folder of an image, in namespaces of its own, as a
 * container engine does: the program is process 1, and sees only the folder's files. They need
 * root, `unshare`, `nsenter`, `mount` and `setpriv` of util-linux, and `ip` of iproute2.
 */

export interface IsolatedRun {
  readonly root: string;
  readonly words: readonly string[];
  readonly workdir: string;
  /** `uid:gid`. */
  readonly user: string;
  /** Files and folders of this machine that the program sees, by their path in the root. */
  readonly binds?: ReadonlyMap<string, string>;
}

export interface ContainerRun extends IsolatedRun {
  /** Folders that are writable: empty ones in memory, owned by the user. */
  readonly writable: readonly string[];
}

const DEVICES = ['null', 'zero', 'full', 'random', 'urandom'];
/** Mounts /proc and the devices. */
const MOUNT_SYSTEM = [
  'mkdir -p "$ROOT/proc" "$ROOT/dev"',
  'mount --types proc proc "$ROOT/proc"',
  'mount --types tmpfs -o mode=755 tmpfs "$ROOT/dev"',
  ...DEVICES.map((name) => `touch "$ROOT/dev/${name}" && mount --bind /dev/${name} "$ROOT/dev/${name}"`),
];

/** A step of a build: the root is writable, and the network is the machine's. */
export function buildCommand(run: IsolatedRun): string[] {
  const script = [`ROOT=${quote(run.root)}`, ...MOUNT_SYSTEM, ...bindMounts(run), `exec ${enterRoot(run)}`];
  return ['unshare', '--mount', '--pid', '--fork', '--kill-child', 'sh', '-euc', script.join('\n')];
}

/** A container: read-only root, no capabilities, no network but its own loopback. */
export function containerCommand(run: ContainerRun): string[] {
  const [uid, gid] = run.user.split(':');
  const script = [
    `ROOT=${quote(run.root)}`,
    'mount --bind "$ROOT" "$ROOT"',
    ...MOUNT_SYSTEM,
    ...bindMounts(run),
    ...run.writable.map((path) => `mount --types tmpfs -o mode=700,uid=${uid},gid=${gid} tmpfs "$ROOT"${quote(path)}`),
    'mount -o remount,bind,ro "$ROOT"',
    'ip link set lo up',
    `exec setpriv --no-new-privs ${enterRoot(run)}`,
  ];
  const namespaces = ['--mount', '--pid', '--net', '--ipc', '--uts'];
  return ['unshare', ...namespaces, '--fork', '--kill-child=SIGKILL', 'sh', '-euc', script.join('\n')];
}

/** Another command in a running container, whose first process has this number on the machine. */
export function execCommand(pid: number, { words, workdir, user }: Omit<IsolatedRun, 'root'>): string[] {
  const [uid = '', gid = ''] = user.split(':');
  const namespaces = ['--mount', '--pid', '--net', '--ipc', '--uts', '--root'];
  const identity = [`--wdns=${workdir}`, `--setuid=${uid}`, `--setgid=${gid}`];
  return ['nsenter', `--target=${pid}`, ...namespaces, ...identity, ...words];
}

function enterRoot({ words, workdir, user }: IsolatedRun): string {
  const [uid, gid] = user.split(':');
  const enter = `unshare --root="$ROOT" --wd=${quote(workdir)} --setuid=${uid} --setgid=${gid}`;
  return `${enter} ${words.map(quote).join(' ')}`;
}

function bindMounts({ binds = new Map() }: IsolatedRun): string[] {
  return [...binds].map(([path, source]) => {
    const target = `"$ROOT"${quote(path)}`;
    const create = `if test -d ${quote(source)}; then mkdir -p ${target}; else touch ${target}; fi`;
    return `mkdir -p "$(dirname ${target})"; ${create}; mount --bind ${quote(source)} ${target}`;
  });
}

/** Quotes a word for the shell. */
function quote(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
