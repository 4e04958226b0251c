/**
 * Builds and runs images with Debian's buildah and podman, in a storage folder of their own. The base
 * image comes from Debian's packages and this clone's Node.js, so that no image registry is needed.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { waitUntil, withDeadline } from '../support/deadline.ts';
import { TEST_CACHE } from '../support/environment.ts';
import { OutputLines } from '../support/output-lines.ts';
import { outsideProgram, skipWithout } from '../support/outside-programs.ts';

export interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Run {
  readonly image: string;
  /** Replaces the image's command. */
  readonly args?: readonly string[];
  /** More options of `podman run`. */
  readonly options?: readonly string[];
}

export interface Container {
  readonly name: string;
  /** Number of its first process on this machine. */
  readonly pid: number;
  readonly output: OutputLines;
  readonly log: OutputLines;
  /** Runs another command in the container. */
  exec(words: readonly string[], env?: Readonly<Record<string, string>>): Promise<Finished>;
  /** Sends the image's stop signal, and returns the exit code of the container. */
  stop(): Promise<number | null>;
}

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const DOCKERFILE = join(ROOT, 'deploy/Dockerfile');
/** Says whether the kernel lets this process create namespaces and mounts. */
const PROBE = ['--mount', '--pid', '--net', '--fork', 'mount', '--types', 'tmpfs', 'x', '/mnt'];
/** The flags of docs/install.md, without a network, and with limits that podman may not raise. */
const RUN_FLAGS = [
  ...['--read-only', '--tmpfs', '/tmp', '--cap-drop', 'ALL', '--security-opt', 'no-new-privileges'],
  ...['--network', 'none', '--cgroups', 'no-conmon', '--ulimit', 'nofile=1024:1024', '--ulimit', 'nproc=1000:1000'],
];
/** Variables with which npm reaches its registry. */
const NETWORK_VARIABLE = /^(https?_proxy|no_proxy|node_extra_ca_certs|npm_config_(registry|cafile|.*proxy))$/i;

/** The `skip` option of tests that use containers: false, or the reason. */
export function skipContainers(): string | false {
  if (process.getuid?.() !== 0) return 'only root can build and run containers here';
  const missing = skipWithout(...(['buildah', 'podman', 'runc', 'mmdebstrap'] as const).map(outsideProgram));
  if (missing !== false) return missing;
  return spawnSync('unshare', PROBE).status === 0 ? false : 'this system does not allow new namespaces';
}

/** The base image of deploy/Dockerfile without its digest, which the stand-in of the tests does not have. */
function baseImage(): string {
  return /^ARG NODE_IMAGE=([^\s@]+)@/m.exec(readFileSync(DOCKERFILE, 'utf8'))?.[1] ?? '';
}

export class ContainerEngine {
  readonly #folder = mkdtempSync(join(tmpdir(), 'toponym-containers-'));
  readonly #graph = join(this.#folder, 'graph');
  readonly #env = { ...process.env, CONTAINERS_STORAGE_CONF: join(this.#folder, 'storage.conf') };
  #containers = 0;

  constructor() {
    // vfs copies whole layers, so it is only for systems where the kernel refuses overlay
    const isDone = ['overlay', 'vfs'].some((driver) => {
      const folders = `graphroot = "${this.#graph}"\nrunroot = "${join(this.#folder, 'run')}"\n`;
      writeFileSync(join(this.#folder, 'storage.conf'), `[storage]\ndriver = "${driver}"\n${folders}`);
      return spawnSync('podman', this.#podman(['info']).slice(1), { env: this.#env }).status === 0;
    });
    if (!isDone) throw new Error('podman has no storage: neither overlay nor vfs works');
  }

  /** Makes the base image of deploy/Dockerfile available. */
  async importBase(): Promise<void> {
    const name = baseImage();
    const env = { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', ...networkVariables() };
    const changes = Object.entries(env).flatMap(([key, value]) => ['--change', `ENV ${key}=${value}`]);
    mustSucceed(await this.podman(['import', ...changes, await baseArchive(name), name]));
  }

  /** Builds deploy/Dockerfile. A later build reuses the steps that its arguments do not change. */
  async build(image: string, buildArgs: Readonly<Record<string, string>>): Promise<Finished> {
    const args = Object.entries({ NODE_IMAGE: baseImage(), ...buildArgs }).flatMap(([key, value]) => [
      '--build-arg',
      `${key}=${value}`,
    ]);
    const mounts = networkFiles().flatMap(([from, to]) => ['--volume', `${from}:${to}`]);
    const flags = ['--isolation', 'chroot', '--format', 'docker', '--layers', '--force-rm', '--quiet'];
    const words = ['buildah', 'build', ...flags, ...mounts, ...args, '--file', DOCKERFILE, '--tag', image, ROOT];
    return finished(words, this.#env);
  }

  /** Starts a container as docs/install.md does. It is removed when the test ends. */
  async start(context: Pick<TestContext, 'after'>, { image, args = [], options = [] }: Run): Promise<Container> {
    this.#containers++;
    const name = `container-${this.#containers}`;
    const words = this.#podman(['run', '--name', name, ...RUN_FLAGS, ...options, image, ...args]);
    const child = spawn(words[0] ?? '', words.slice(1), { env: this.#env, stdio: ['ignore', 'pipe', 'pipe'] });
    const exit = once(child, 'close').then(([code]) => code as number | null);
    context.after(async () => {
      await this.podman(['rm', '--force', '--volumes', name]);
      await exit;
    });
    let pid = 0;
    await waitUntil('the container has a process', async () => {
      if (child.exitCode !== null) return true;
      pid = Number((await this.podman(['inspect', '--format', '{{.State.Pid}}', name])).stdout);
      return pid > 0;
    });
    return {
      name,
      pid,
      output: new OutputLines(child.stdout),
      log: new OutputLines(child.stderr),
      exec: (command, env = {}) => {
        const variables = Object.entries(env).flatMap(([key, value]) => ['--env', `${key}=${value}`]);
        return this.podman(['exec', ...variables, name, ...command]);
      },
      stop: async () => {
        mustSucceed(await this.podman(['stop', '--time', '60', name]));
        return withDeadline('the container ends', exit);
      },
    };
  }

  /** Runs a container until it ends. */
  run({ image, args = [], options = [] }: Run): Promise<Finished> {
    return this.podman(['run', '--rm', ...RUN_FLAGS, ...options, image, ...args]);
  }

  podman(args: readonly string[]): Promise<Finished> {
    return finished(this.#podman(args), this.#env);
  }

  // podman complains at level error if systemd does not run
  #podman(args: readonly string[]): string[] {
    return ['podman', '--runtime', 'runc', '--tmpdir', join(this.#folder, 'tmp'), '--log-level', 'fatal', ...args];
  }

  /** Removes the storage. */
  remove(): void {
    spawnSync('umount', ['--recursive', join(this.#graph, 'overlay')]);
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** Throws if the program has failed. */
export function mustSucceed({ code, stdout, stderr }: Finished): string {
  if (code !== 0) throw new Error(`exit code ${code}\n${stdout}${stderr}`);
  return stdout.trim();
}

/** The root folder of the base image as an archive, which is kept for the next run. */
async function baseArchive(image: string): Promise<string> {
  const path = join(TEST_CACHE, `${image.replaceAll(/[^\w.-]/g, '-')}-${process.arch}.tar`);
  if (existsSync(path)) return path;
  const npm = dirname(dirname(mustSucceed(await finished(['sh', '-c', 'realpath "$(command -v npm)"']))));
  const node = join(ROOT, `node_modules/node-linux-${process.arch}/bin/node`);
  const release = /-(\w+)-slim$/.exec(image)?.[1] ?? '';
  const unfinished = `${path}.${process.pid}.tar`;
  mkdirSync(dirname(path), { recursive: true });
  const hooks = [
    `copy-in ${node} /usr/local/bin`,
    'mkdir --parents "$1/usr/local/lib/node_modules"',
    `copy-in ${npm} /usr/local/lib/node_modules`,
    'ln --symbolic ../lib/node_modules/npm/bin/npm-cli.js "$1/usr/local/bin/npm"',
  ];
  const flags = ['--quiet', '--variant=essential', '--include=libstdc++6', '--dpkgopt=force-unsafe-io'];
  const words = [...flags, ...hooks.map((hook) => `--customize-hook=${hook}`), release, unfinished];
  mustSucceed(await finished(['mmdebstrap', ...words, ...(await debianMirror())]));
  for (const old of globSync(join(TEST_CACHE, '*-slim-*.tar'))) if (old !== unfinished) rmSync(old);
  renameSync(unfinished, path);
  return path;
}

/** The URL of the mirror of Debian that this machine uses, if any. */
async function debianMirror(): Promise<string[]> {
  const targets = ['indextargets', '--format', '$(REPO_URI)', 'Created-By: Packages'];
  const urls = mustSucceed(await finished(['apt-get', ...targets])).split('\n');
  return urls.filter((url) => /\/debian\/?$/.test(url)).slice(0, 1);
}

function networkVariables(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => NETWORK_VARIABLE.test(name)));
}

/** Files of this machine with which npm reaches its registry, and where it expects them in a build. */
function networkFiles(): (readonly [from: string, to: string])[] {
  const config = JSON.parse(spawnSync('npm', ['config', 'list', '--json', '--long'], { encoding: 'utf8' }).stdout);
  const certificates = Object.entries(networkVariables()).filter(([name]) => /ca_?certs$|cafile$/i.test(name));
  const files = [
    ...certificates.map(([, path = '']) => [path, path] as const),
    [config.userconfig as string, '/root/.npmrc'] as const,
    [config.globalconfig as string, '/usr/local/etc/npmrc'] as const,
    [config.cache as string, '/root/.npm'] as const,
  ];
  return files.filter(([from]) => existsSync(from));
}

async function finished([command = '', ...args]: readonly string[], env = process.env): Promise<Finished> {
  const child = spawn(command, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return { code, stdout, stderr };
}
