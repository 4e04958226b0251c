/** A parsed Dockerfile: its global arguments and its stages, with their instructions in order. */

export interface Instruction {
  /** Upper case, such as `COPY`. */
  readonly name: string;
  /** By name without dashes: `--from=build` is `from` -> `build`. */
  readonly flags: ReadonlyMap<string, string>;
  /** What follows name and flags. */
  readonly text: string;
  /** Line number of the beginning, from 1. */
  readonly line: number;
}

export interface Stage {
  /** The image or stage after FROM, with variables. */
  readonly base: string;
  readonly name: string | undefined;
  readonly instructions: readonly Instruction[];
}

export interface Dockerfile {
  /** The ARG instructions before the first FROM. */
  readonly globalArgs: readonly Instruction[];
  readonly stages: readonly Stage[];
}

/** The instructions that the builder can execute, and the flags of each. */
const FLAGS_BY_INSTRUCTION: Readonly<Record<string, readonly string[]>> = {
  FROM: [],
  ARG: [],
  ENV: [],
  WORKDIR: [],
  COPY: ['from', 'chown'],
  RUN: [],
  USER: [],
  LABEL: [],
  EXPOSE: [],
  VOLUME: [],
  HEALTHCHECK: ['interval', 'timeout', 'start-period', 'retries'],
  STOPSIGNAL: [],
  ENTRYPOINT: [],
  CMD: [],
};

export class DockerfileError extends Error {
  constructor(line: number, message: string) {
    super(`line ${line} of the Dockerfile: ${message}`);
  }
}

export function parseDockerfile(text: string): Dockerfile {
  const globalArgs: Instruction[] = [];
  const stages: (Stage & { readonly instructions: Instruction[] })[] = [];
  for (const instruction of parseInstructions(text)) {
    const stage = stages.at(-1);
    if (instruction.name === 'FROM') stages.push(startStage(instruction));
    else if (stage !== undefined) stage.instructions.push(instruction);
    else if (instruction.name === 'ARG') globalArgs.push(instruction);
    else throw new DockerfileError(instruction.line, `only ARG may precede FROM, got ${instruction.name}`);
  }
  if (stages.length === 0) throw new DockerfileError(1, 'there is no FROM');
  return { globalArgs, stages };
}

/** Replaces `$NAME` and `${NAME}`. A variable without a value is empty. */
export function expandVariables(text: string, variables: ReadonlyMap<string, string>): string {
  return text.replace(/\$(?:(\w+)|\{(\w+)\})/g, (_, bare, braced) => variables.get(bare ?? braced) ?? '');
}

/** Parses `NAME=value NAME="other value"`, as ENV and LABEL have it. */
export function parsePairs({ text, line, name }: Instruction): [string, string][] {
  const pairs = [...text.matchAll(/([\w.]+)=("[^"]*"|\S*)(?:\s+|$)/g)];
  if (pairs.map(([pair]) => pair).join('') !== text) {
    throw new DockerfileError(line, `${name} must be NAME=value or NAME="value", got ${text}`);
  }
  return pairs.map(([, key = '', value = '']) => [key, value.replace(/^"(.*)"$/, '$1')]);
}

/** Parses `["word", "word"]`. Other forms need a shell, which the final image lacks. */
export function parseWords({ text, line, name }: Instruction): string[] {
  try {
    const words: unknown = JSON.parse(text);
    if (Array.isArray(words) && words.every((word) => typeof word === 'string')) return words;
  } catch {
    // the error below says what is expected
  }
  throw new DockerfileError(line, `${name} must be a JSON list of strings, got ${text}`);
}

function startStage({ text, line }: Instruction) {
  const match = /^(\S+)(?:\s+AS\s+([\w-]+))?$/i.exec(text);
  if (match === null) throw new DockerfileError(line, `FROM must be "image" or "image AS name", got ${text}`);
  const [, base = '', name] = match;
  return { base, name, instructions: [] };
}

function* parseInstructions(text: string): Generator<Instruction> {
  let joined = '';
  let start = 0;
  for (const [i, line] of text.split('\n').entries()) {
    // comments and empty lines may also interrupt a continued instruction
    if (/^\s*(#|$)/.test(line)) continue;
    if (joined === '') start = i + 1;
    joined += line.trim();
    if (joined.endsWith('\\')) {
      joined = joined.slice(0, -1);
      continue;
    }
    yield parseInstruction(joined, start);
    joined = '';
  }
  if (joined !== '') throw new DockerfileError(start, 'the file ends within this instruction');
}

function parseInstruction(text: string, line: number): Instruction {
  const [, word = '', flagText = '', rest = ''] = /^(\S+)((?:\s+--[\w-]+=\S+)*)\s*(.*)$/s.exec(text) ?? [];
  const name = word.toUpperCase();
  const knownFlags = FLAGS_BY_INSTRUCTION[name];
  if (knownFlags === undefined) {
    const known = Object.keys(FLAGS_BY_INSTRUCTION).join(', ');
    throw new DockerfileError(line, `unknown instruction ${word}; known are ${known}`);
  }
  const flags = [...flagText.matchAll(/--([\w-]+)=(\S+)/g)].map(([, key = '', value = '']) => [key, value] as const);
  const unknown = flags.find(([key]) => !knownFlags.includes(key));
  if (unknown !== undefined || rest.startsWith('--')) {
    const known = knownFlags.map((flag) => `--${flag}=…`).join(', ') || 'none';
    throw new DockerfileError(line, `unknown flag of ${name} in ${text}; known are ${known}`);
  }
  return { name, flags: new Map(flags), text: rest, line };
}
