/** Containers of an image that was built without a container engine. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdtempSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { TestContext } from 'node:test';
import type { Image } from '../../../deploy/image/build-image.ts';
import { containerCommand, execCommand } from '../../../deploy/image/isolated-command.ts';
import { waitUntil, withDeadline } from '../../support/deadline.ts';
import { OutputLines } from '../../support/output-lines.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

export interface ContainerOptions {
  /** Replaces the image's command, as the words after the image do in `docker run`. */
  readonly args?: readonly string[];
  readonly entrypoint?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** The folder behind the volume /state; a new one by default. */
  readonly state?: string;
}

export interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Container {
  /** Number of its first process on the machine. */
  readonly pid: number;
  readonly state: string;
  readonly output: OutputLines;
  readonly log: OutputLines;
  /** Waits until the container ends. Returns its exit code. */
  ended(): Promise<number | null>;
  /** Runs another command in the container, as `docker exec` does. */
  exec(words: readonly string[], env?: Readonly<Record<string, string>>): Promise<Finished>;
  /** Runs the image's health check. */
  checkHealth(): Promise<Finished>;
}

/** Creates a folder that the image's user can write. */
export function volumeFolder(context: Pick<TestContext, 'after'>): string {
  const folder = mkdtempSync(join(temporaryFolder(context), 'state-'));
  chownSync(folder, 65_532, 65_532);
  return folder;
}

/** Starts a container with a read-only root. Only /tmp and the volume /state can be written. */
export async function startContainer(
  context: Pick<TestContext, 'after'>,
  { root, config }: Image,
  options: ContainerOptions = {},
): Promise<Container> {
  const { workdir, user } = config;
  const { args = config.command, entrypoint = config.entrypoint, state = volumeFolder(context) } = options;
  const env = { ...Object.fromEntries(config.env), ...options.env };
  const [command = '', ...rest] = containerCommand({
    root,
    words: [...entrypoint, ...args],
    workdir,
    user,
    binds: new Map([['/state', state]]),
    writable: ['/tmp'],
  });
  const child = spawn(command, rest, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const exit = once(child, 'close').then(([code]) => code as number | null);
  const pid = await firstProcess(child.pid as number);
  context.after(async () => {
    if (child.exitCode === null) killIfRunning(pid);
    await exit;
  });
  const exec: Container['exec'] = async (words, added = {}) => {
    const [program = '', ...programArgs] = execCommand(pid, { words, workdir, user });
    const other = spawn(program, programArgs, { env: { ...env, ...added }, stdio: ['ignore', 'pipe', 'pipe'] });
    const [stdout, stderr, [code]] = await Promise.all([text(other.stdout), text(other.stderr), once(other, 'close')]);
    return { code, stdout, stderr };
  };
  return {
    pid,
    state,
    output: new OutputLines(child.stdout),
    log: new OutputLines(child.stderr),
    ended: () => withDeadline('the container ends', exit),
    exec,
    checkHealth: () => exec(config.healthCheck),
  };
}

/** Runs a container until it ends. */
export async function runContainer(
  context: Pick<TestContext, 'after'>,
  image: Image,
  options: ContainerOptions,
): Promise<Finished> {
  const { output, log, ended } = await startContainer(context, image, options);
  return { code: await ended(), stdout: output.text, stderr: log.text };
}

/** The process in the namespaces, which is the only child of the one that has created them. */
async function firstProcess(parent: number): Promise<number> {
  let pid = 0;
  await waitUntil('the container has a process', () => {
    pid = Number(readFileSync(`/proc/${parent}/task/${parent}/children`, 'utf8'));
    return pid > 0;
  });
  return pid;
}

function killIfRunning(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // it has ended in the meantime
  }
}
