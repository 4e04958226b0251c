/** Walks over all commands of the program and checks their help, flags and examples. */
import assert from 'node:assert/strict';
import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { stripVTControlCharacters } from 'node:util';
import type { Command } from 'commander';
import { runCommand } from '../../../../test/support/command.ts';
import { temporaryFolder } from '../../../../test/support/temporary-folder.ts';
import { worldIndex } from '../../../../test/support/world-index.ts';
import { createProgram, parseArguments } from '../../src/cli/command-line.ts';

interface NamedCommand {
  /** Such as `['keys', 'list']`. */
  readonly path: readonly string[];
  readonly command: Command;
}

function walk(command: Command, path: readonly string[] = []): NamedCommand[] {
  return [
    { path, command },
    ...command.commands.flatMap((each) => (each.name() === 'help' ? [] : walk(each, [...path, each.name()]))),
  ];
}

function fullHelp(command: Command): string {
  let help = '';
  const { writeOut } = command.configureOutput();
  command.configureOutput({ writeOut: (text) => (help += text) });
  command.outputHelp();
  command.configureOutput({ ...(writeOut && { writeOut }) });
  return help;
}

/** The examples at the end of a help text, each as a list of words. */
function examplesIn(help: string): string[][] {
  const [, examples = ''] = /\nExamples:\n((?: {2}.*\n?)+)$/.exec(stripVTControlCharacters(help)) ?? [];
  const lines = examples.replaceAll(' \\\n', ' ').trim().split('\n');
  return lines.filter((line) => line !== '').map((line) => splitWords(line.trim().replace(/^npx /, '')));
}

function splitWords(line: string): string[] {
  return Array.from(line.matchAll(/"([^"]*)"|\S+/g), ([word, quoted]) => quoted ?? word);
}

const PROGRAM = await createProgram();
/** The program, and each command as it is when it runs. */
const COMMANDS: NamedCommand[] = [{ path: [], command: PROGRAM }];
for (const {
  path: [name = ''],
} of walk(PROGRAM).slice(1)) {
  const { commands } = await createProgram([name]);
  COMMANDS.push(...walk(commands.find((command) => command.name() === name)!, [name]));
}
const LEAVES = COMMANDS.filter(({ command }) => command.commands.length === 0);

test('every command has a description and --help, and every command that does something has --json', () => {
  assert.ok(LEAVES.length >= 15);
  for (const { path, command } of COMMANDS) {
    assert.ok(command.description().length > 5, path.join(' '));
    assert.match(fullHelp(command), /-h, --help/, path.join(' '));
    assert.match(fullHelp(command), /--no-color/, path.join(' '));
  }
  for (const { path, command } of LEAVES) {
    assert.ok(
      command.options.some(({ long }) => long === '--json'),
      path.join(' '),
    );
  }
});

test('every help fits 80 columns without trailing spaces, and starts with the right usage', () => {
  for (const { path, command } of COMMANDS) {
    const lines = stripVTControlCharacters(fullHelp(command)).split('\n');
    assert.ok(
      lines[0]?.startsWith(`Usage: ${['toponym', ...path].join(' ')}${command.aliases().map((name) => `|${name}`)} `),
      lines[0],
    );
    for (const line of lines) {
      assert.ok(line.length <= 80, line);
      assert.equal(line, line.trimEnd());
    }
  }
});

test('every help ends with examples that the command line accepts', async () => {
  for (const { path, command } of COMMANDS) {
    const examples = examplesIn(fullHelp(command));
    assert.ok(examples.length > 0, `no examples: ${path.join(' ')}`);
    for (const [name, ...args] of examples) {
      assert.equal(name, 'toponym');
      const parsed = await parse(args);
      const isOfCommand = parsed.slice(0, path.length).join(' ') === path.join(' ');
      assert.ok(isOfCommand, `${args.join(' ')} ran ${parsed.join(' ')}`);
    }
  }
});

/** Parses a command line without running it. Returns the path of its command. */
async function parse(args: readonly string[]): Promise<readonly string[]> {
  const program = await createProgram(args);
  let parsed: readonly string[] = [];
  for (const { path, command } of walk(program)) {
    if (command.commands.length > 0) continue;
    command.action(() => {
      parsed = path;
    });
  }
  await parseArguments(program, args);
  return parsed;
}

test('the help of the program has every command in a group, and three examples', () => {
  const help = stripVTControlCharacters(fullHelp(PROGRAM));
  const titles = Array.from(help.matchAll(/^(\w+):$/gm), ([, title]) => title);
  assert.deepEqual(titles, ['Options', 'Service', 'Search', 'Data', 'Keys', 'Shell', 'Other', 'Examples']);
  const [, other = ''] = /\nOther:\n((?: {2}.*\n)+)/.exec(help) ?? [];
  assert.match(other, /^ {2}help \[command\.\.\.\] .*\n$/);
  assert.equal(examplesIn(help).length, 3);
});

test('help shows the help of a command at any depth', async () => {
  const usageOf = async (line: string) => (await runCommand(line.split(' '))).stdout.split('\n', 1)[0];
  for (const { path } of COMMANDS) {
    const [usage] = (await runCommand([...path, '--help'])).stdout.split('\n', 1);
    assert.equal(await usageOf(['help', ...path].join(' ')), usage);
  }
  assert.equal(await usageOf('keys help create'), 'Usage: toponym keys create [options]');
  assert.equal(await usageOf('keys help'), 'Usage: toponym keys <command> [options]');
});

test('the help of keys create has the options in groups: what each key has first, where keys are stored later', async () => {
  const { stdout } = await runCommand(['keys', 'create', '--help']);
  const titles = Array.from(stdout.matchAll(/^([\w ]+):$/gm), ([, title]) => title);
  assert.deepEqual(titles, [
    'The key',
    'Its limits',
    'Who may use it',
    'Where the keys are stored',
    'Options',
    'Examples',
  ]);
});

/** Arguments without which a command is refused for another reason. */
const ARGUMENTS: Readonly<Record<string, readonly string[]>> = {
  query: ['x'],
  explain: ['x'],
  reverse: ['1,1'],
  geocode: ['x.csv'],
  build: ['--out', 'x'],
  'keys create': ['--label', 'x'],
};

test('a negative number is the value of its option, and refused with the numbers that work', async (context) => {
  const cwd = temporaryFolder(context);
  const isNumber = (flags: string) => /<number>|(per-page|radius|confidence) <value>/.test(flags);
  const refusal =
    /^toponym: (--[\w-]+): must be an? (integer|number) (from \d+ to \d+|of at least \d).*, got "-5"\.\n$/;
  const tried = new Set<string>();
  // serve and doctor act on their process; packages/toponym/test/cli/settings has their numbers
  for (const { path, command } of LEAVES.filter(({ path: [name] }) => name !== 'serve' && name !== 'doctor')) {
    for (const { long } of command.options.filter(({ flags }) => isNumber(flags))) {
      const args = [...path, ...(ARGUMENTS[path.join(' ')] ?? []), `${long}`, '-5'];
      const { stderr, code } = await runCommand(args, { cwd });
      assert.deepEqual([code, refusal.exec(stderr)?.[1]], [2, long], `${args.join(' ')}: ${stderr}`);
      tried.add(`${long}`);
    }
  }
  assert.ok(tried.size >= 8, [...tried].join(' '));
});

/** Examples that need a process of their own, a download or files of gazetteers. They are only parsed. */
const NOT_RUN = [/^(serve|demo|doctor|mcp)/, /^update/, /^build/, /--redis/];

test('every example runs and prints one JSON document with --json', async (context) => {
  const { cwd, keyId } = await folderForExamples(context);
  const ran: string[] = [];
  for (const { path, command } of LEAVES) {
    for (const [, ...args] of examplesIn(fullHelp(command))) {
      const line = args.join(' ');
      if (NOT_RUN.some((pattern) => pattern.test(line))) continue;
      const real = args.map((arg) => (/^k[0-9a-f]{12}$/.test(arg) ? keyId : arg));
      const { stdout, stderr, code } = await runCommand([...real, ...(line.includes('--json') ? [] : ['--json'])], {
        cwd,
        env: { FORCE_COLOR: '1' },
      });
      assert.equal(code, 0, `${line}: ${stderr}`);
      assert.ok(typeof JSON.parse(stdout) === 'object', line);
      ran.push(path.join(' '));
    }
  }
  const wanted = ['query', 'reverse', 'get', 'geocode', 'export', 'inspect', 'completion'];
  const keyCommands = ['create', 'list', 'revoke', 'audit', 'backup'].map((name) => `keys ${name}`);
  assert.deepEqual(new Set(ran), new Set([...wanted, ...keyCommands]));
});

/** A folder with the files that the examples name, and a key that an example revokes. */
async function folderForExamples(context: TestContext) {
  const cwd = temporaryFolder(context);
  copyFileSync(await worldIndex(), join(cwd, 'world.toponym'));
  writeFileSync(join(cwd, 'toponym.json'), JSON.stringify({ index: 'world.toponym' }));
  writeFileSync(join(cwd, 'people.csv'), 'name,city,country\nAnna,Berlin,DE\n');
  writeFileSync(join(cwd, 'photos.csv'), 'photo,lat,lng\n1.jpg,52.5,13.4\n');
  const created = await runCommand(['keys', 'create', '--label', 'first', '--json'], { cwd });
  return { cwd, keyId: JSON.parse(created.stdout).id as string };
}
