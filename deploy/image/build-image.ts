/**
 * Builds an image without a container engine: executes the instructions of a Dockerfile into a root
 * folder. Stages that are done are reused by a later build with the same arguments.
 */
import { existsSync, lstatSync, mkdirSync, readdirSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { findBaseImage } from './base-images.ts';
import {
  type Dockerfile,
  DockerfileError,
  expandVariables,
  type Instruction,
  parsePairs,
  parseWords,
  type Stage,
} from './dockerfile.ts';
import { buildCommand } from './isolated-command.ts';
import { findMachineBinds, machineEnvironment } from './machine-settings.ts';
import { runCommand } from './run-command.ts';
import { sizeOf } from './size-of.ts';

export interface ImageConfig {
  env: Map<string, string>;
  workdir: string;
  /** `uid:gid`. */
  user: string;
  labels: Map<string, string>;
  ports: string[];
  volumes: string[];
  healthCheck: string[];
  entrypoint: string[];
  command: string[];
  stopSignal: string;
}

export interface Layer {
  /** The instruction that added the files. */
  readonly step: string;
  readonly bytes: number;
}

export interface Image {
  readonly root: string;
  readonly config: Readonly<ImageConfig>;
  readonly layers: readonly Layer[];
}

export interface BuildOptions {
  readonly dockerfile: Dockerfile;
  /** The folder with the files that COPY reads. */
  readonly context: string;
  /** Empty folder for the roots of the stages. */
  readonly folder: string;
  readonly buildArgs?: Readonly<Record<string, string>>;
  /** Stages of earlier builds, by their text and arguments. */
  readonly done?: Map<string, Image>;
  readonly onStep?: (step: string) => void;
}

/** A stage while it is executed. */
interface Work {
  readonly options: BuildOptions;
  readonly root: string;
  readonly config: ImageConfig;
  readonly layers: Layer[];
  /** Values of ARG. */
  readonly args: Map<string, string>;
  readonly globalArgs: ReadonlyMap<string, string>;
  readonly stages: ReadonlyMap<string, Image>;
}

/** Builds all stages and returns the last one. */
export async function buildImage(options: BuildOptions): Promise<Image> {
  const { dockerfile, buildArgs = {}, done = new Map<string, Image>() } = options;
  checkBuildArgs(dockerfile, buildArgs);
  const globalArgs = new Map(dockerfile.globalArgs.map((arg) => parseArg(arg, buildArgs)));
  const stages = new Map<string, Image>();
  let key = JSON.stringify([...globalArgs]);
  for (const [i, stage] of dockerfile.stages.entries()) {
    const name = stage.name ?? String(i);
    key += JSON.stringify([stage, stageArgs(stage, buildArgs)], mapsAsLists); // also depends on earlier stages
    const root = join(options.folder, `${done.size}-${name}`);
    const image = done.get(key) ?? (await buildStage(stage, root, { options, globalArgs, stages }));
    done.set(key, image);
    stages.set(name, image);
  }
  return [...stages.values()].at(-1) as Image;
}

/** JSON has no maps, and would write {} for the flags of instructions. */
function mapsAsLists(_name: string, value: unknown): unknown {
  return value instanceof Map ? [...value] : value;
}

function checkBuildArgs({ globalArgs, stages }: Dockerfile, buildArgs: Readonly<Record<string, string>>): void {
  const args = [...globalArgs.map((arg) => parseArg(arg, {})), ...stages.flatMap((stage) => stageArgs(stage, {}))];
  const known = new Set(args.map(([name]) => name));
  const unknown = Object.keys(buildArgs).find((name) => !known.has(name));
  if (unknown === undefined) return;
  throw new Error(`There is no build argument ${unknown}; the Dockerfile has ${[...known].join(', ')}.`);
}

function stageArgs({ instructions }: Stage, buildArgs: Readonly<Record<string, string>>) {
  return instructions.filter(({ name }) => name === 'ARG').map((arg) => parseArg(arg, buildArgs));
}

async function buildStage(
  stage: Stage,
  root: string,
  { options, globalArgs, stages }: Pick<Work, 'options' | 'globalArgs' | 'stages'>,
): Promise<Image> {
  const base = expandVariables(stage.base, globalArgs);
  const config = await startRoot(base, root, { options, stages });
  const layers = [{ step: `FROM ${base}`, bytes: sizeOf(root) }];
  const work = { options, root, config, layers, args: new Map(), globalArgs, stages };
  for (const instruction of stage.instructions) await execute(instruction, work);
  return { root, config, layers };
}

async function startRoot(
  base: string,
  root: string,
  { options, stages }: Pick<Work, 'options' | 'stages'>,
): Promise<ImageConfig> {
  const earlier = stages.get(base);
  if (earlier !== undefined) {
    await runCommand(['cp', '--archive', earlier.root, root]);
    return structuredClone(earlier.config);
  }
  const { env, unpack } = findBaseImage(base);
  options.onStep?.(`FROM ${base}`);
  mkdirSync(root, { recursive: true });
  await unpack(root, join(options.folder, `packages-of-${basename(root)}`));
  const lists = { ports: [], volumes: [], healthCheck: [], entrypoint: [], command: [] };
  return { ...lists, env: new Map(env), workdir: '/', user: '0:0', labels: new Map(), stopSignal: 'SIGTERM' };
}

async function execute(instruction: Instruction, work: Work): Promise<void> {
  const { name, flags, text } = instruction;
  const { config, options, root } = work;
  options.onStep?.([name, ...Array.from(flags, ([key, value]) => `--${key}=${value}`), text].join(' '));
  if (name === 'ARG') {
    const [key, value] = parseArg(instruction, options.buildArgs ?? {});
    work.args.set(key, value || (work.globalArgs.get(key) ?? ''));
  } else if (name === 'RUN') {
    await runStep(instruction, work);
    addLayer(`RUN ${text}`, work);
  } else if (name === 'COPY') {
    await copyFiles(instruction, work);
    addLayer(`COPY ${text}`, work);
  } else {
    configure({ ...instruction, text: expandVariables(text, variablesOf(work)) }, config);
    if (name === 'WORKDIR') mkdirSync(join(root, config.workdir), { recursive: true });
  }
}

/** Adds what a step has changed in the size of the root. */
function addLayer(step: string, { root, layers }: Work): void {
  const before = layers.reduce((sum, { bytes }) => sum + bytes, 0);
  layers.push({ step, bytes: sizeOf(root) - before });
}

/** Executes an instruction that changes no file. */
function configure(instruction: Instruction, config: ImageConfig): void {
  const { name, text, line } = instruction;
  if (name === 'ENV') for (const [key, value] of parsePairs(instruction)) config.env.set(key, value);
  else if (name === 'LABEL') for (const [key, value] of parsePairs(instruction)) config.labels.set(key, value);
  else if (name === 'WORKDIR') config.workdir = resolve(config.workdir, text);
  else if (name === 'USER') config.user = parseUser(text, line);
  else if (name === 'EXPOSE') config.ports.push(text);
  else if (name === 'VOLUME') config.volumes.push(...parseWords(instruction));
  else if (name === 'STOPSIGNAL') config.stopSignal = text;
  else if (name === 'ENTRYPOINT') config.entrypoint = parseWords(instruction);
  else if (name === 'CMD') config.command = parseWords(instruction);
  else if (name === 'HEALTHCHECK') {
    if (!text.startsWith('CMD ')) throw new DockerfileError(line, `HEALTHCHECK must have CMD, got ${text}`);
    config.healthCheck = parseWords({ ...instruction, text: text.slice(4) });
  }
}

async function runStep({ text }: Instruction, work: Work): Promise<void> {
  const { root, config, args } = work;
  const env = Object.fromEntries([...args, ...config.env].filter(([, value]) => value !== ''));
  const words = buildCommand({
    root,
    words: ['/bin/sh', '-c', text],
    workdir: config.workdir,
    user: config.user,
    binds: await findMachineBinds(),
  });
  await runCommand(words, { env: { ...machineEnvironment(), ...env }, title: `RUN ${text}` });
}

/** Of a folder COPY copies the content; a file goes into the target if that ends with a slash. */
async function copyFiles({ text, flags, line }: Instruction, work: Work): Promise<void> {
  const { root, config, stages, options } = work;
  const from = flags.get('from');
  const sourceRoot = from === undefined ? options.context : stages.get(from)?.root;
  if (sourceRoot === undefined) throw new DockerfileError(line, `COPY --from: there is no stage ${from}`);
  const paths = expandVariables(text, variablesOf(work)).split(/\s+/);
  const target = paths.pop() ?? '';
  const owner = parseUser(flags.get('chown') ?? '0:0', line);
  for (const path of paths) {
    const source = join(sourceRoot, path);
    const stats = lstatSync(source, { throwIfNoEntry: false });
    if (stats === undefined) throw new DockerfileError(line, `COPY: ${path} does not exist`);
    const name = target.endsWith('/') && !stats.isDirectory() ? basename(path) : '';
    const destination = join(root, resolve(config.workdir, target), name);
    if (existsSync(destination) && !isEmptyFolder(destination)) {
      throw new DockerfileError(line, `COPY: ${target} exists already, which this builder does not support`);
    }
    mkdirSync(dirname(destination), { recursive: true });
    await runCommand(['cp', '--archive', '--no-target-directory', source, destination]);
    await runCommand(['chown', '--recursive', '--no-dereference', owner, destination]);
  }
}

function isEmptyFolder(path: string): boolean {
  return lstatSync(path).isDirectory() && readdirSync(path).length === 0;
}

function parseUser(text: string, line: number): string {
  if (!/^\d+:\d+$/.test(text))
    throw new DockerfileError(line, `a user must be numbers such as 65532:65532, got ${text}`);
  return text;
}

function parseArg({ text }: Instruction, buildArgs: Readonly<Record<string, string>>): [string, string] {
  const [name = '', ...value] = text.split('=');
  return [name, buildArgs[name] ?? value.join('=')];
}

/** ENV overrides ARG. */
function variablesOf({ args, config }: Work): Map<string, string> {
  return new Map([...args, ...config.env]);
}
