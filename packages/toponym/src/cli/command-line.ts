/** Parses the command line, runs the command, and returns the exit code. */

import { Command, CommanderError } from 'commander';
import { didYouMean } from 'toponym-files/errors/did-you-mean';
import { commandName, VERSION } from 'toponym-files/program';
import { addExamples, HELP_CONFIGURATION, helpWidth, namesOf } from './help.ts';
import { handleOutputErrors, noteError, reportError } from './print/output.ts';
import { allowColor, hasColor } from './print/styled-text.ts';

/** A command, as the help of the program shows it. */
interface CommandRow {
  readonly description: string;
  readonly argument?: readonly [name: string, description?: string];
  readonly alias?: string;
  /** Adds its flags and subcommands. Called for one command only, so that `serve` does not load the code of `build`. */
  readonly load: () => Promise<(command: Command) => void>;
}

const loadPlaceCommand = async () => (await import('./commands/place-commands.ts')).addPlaceCommand;

/** The commands by group of the help. */
const COMMANDS: Readonly<Record<string, Readonly<Record<string, CommandRow>>>> = {
  'Service:': {
    serve: {
      description: 'serve the API over HTTPS',
      load: async () => (await import('./commands/serve-command.ts')).addServeCommand,
    },
    demo: {
      description: 'try the page: search box and map in your browser, until Ctrl-C',
      load: async () => (await import('./commands/demo-command.ts')).addDemoCommand,
    },
    mcp: {
      description: 'serve the search to agents, by the Model Context Protocol',
      load: async () => (await import('./commands/mcp-command.ts')).addMcpCommand,
    },
    doctor: {
      description: 'check the settings, files and machine of a service',
      load: async () => (await import('./commands/doctor-command.ts')).addDoctorCommand,
    },
  },
  'Search:': {
    query: {
      alias: 'explain',
      argument: ['<text...>'],
      description: 'find places by name, and explain their order',
      load: loadPlaceCommand,
    },
    reverse: {
      argument: ['<lat,lng...>'],
      description: 'find the place closest to a point, or the place that contains it',
      load: loadPlaceCommand,
    },
    get: { argument: ['<id>'], description: 'show one place with all its names', load: loadPlaceCommand },
    geocode: {
      argument: ['<file>', 'table with a row of headings, also compressed; "-" is standard input'],
      description: 'find the places of the rows of a table (CSV, TSV, NDJSON)',
      load: async () => (await import('./commands/geocode-command.ts')).addGeocodeCommand,
    },
  },
  'Data:': {
    build: {
      description: 'build an index file from gazetteer files',
      load: async () => (await import('./commands/build-command.ts')).addBuildCommand,
    },
    update: {
      description: 'download the latest places and build an index from them',
      load: async () => (await import('./commands/update-command.ts')).addUpdateCommand,
    },
    export: {
      description: 'write the places of an index as NDJSON',
      load: async () => (await import('./commands/export-command.ts')).addExportCommand,
    },
    inspect: {
      argument: ['<file>', 'index file'],
      description: 'verify an index file and show its contents',
      load: async () => (await import('./commands/inspect-command.ts')).addInspectCommand,
    },
  },
  'Keys:': {
    keys: {
      description: 'create, list, revoke, audit, copy and back up API keys',
      load: async () => (await import('./commands/keys-command.ts')).addKeysCommand,
    },
  },
  'Shell:': {
    completion: {
      argument: ['<shell>', 'bash, zsh, fish'],
      description: 'print a script for completion with the Tab key',
      load: async () => (await import('./commands/completion-command.ts')).addCompletionCommand,
    },
  },
};
const OTHER_GROUP = 'Other:';

const EXAMPLES = ['toponym query paris texas', 'toponym serve', 'toponym keys create --label "Web shop"'];

export async function run(args: readonly string[]): Promise<number> {
  handleOutputErrors();
  allowColor(true);
  const program = await createProgram(args);
  try {
    await parseArguments(program, args);
    return Number(process.exitCode ?? 0); // a command may have set it
  } catch (error) {
    // commander has printed the message, and sets the exit code 0 for --help and --version
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    return reportError(error);
  }
}

/** Runs the command. Throws CommanderError if the arguments are wrong. */
export async function parseArguments(program: Command, args: readonly string[]): Promise<void> {
  await program.parseAsync(args.map(protectNegativePoint), { from: 'user' });
}

/** Creates the program. Only the command that `args` name has its flags and subcommands. */
export async function createProgram(args: readonly string[] = []): Promise<Command> {
  const program = new Command('toponym')
    .description('Search places by name, id or coordinates.')
    .version(VERSION, '-V, --version', 'print the version')
    .option('--no-color', 'print without colours, as with the variable NO_COLOR')
    .on('option:no-color', () => allowColor(false))
    .helpOption('-h, --help', 'show help')
    .configureHelp(HELP_CONFIGURATION)
    .configureOutput({
      getOutHasColors: () => hasColor(process.stdout),
      getErrHasColors: () => hasColor(process.stderr),
      getOutHelpWidth: () => helpWidth(process.stdout),
      getErrHelpWidth: () => helpWidth(process.stderr),
    })
    .showSuggestionAfterError(false)
    .exitOverride();
  const words = args.filter((arg) => !arg.startsWith('-'));
  // both are about the command that comes next
  const named = words.find((word) => word !== 'help' && word !== 'complete');
  for (const [group, rows] of Object.entries(COMMANDS)) {
    for (const [name, { alias, argument, description, load }] of Object.entries(rows)) {
      const command = program.command(name).description(description).helpGroup(group);
      if (argument !== undefined) command.argument(...argument);
      if (alias !== undefined) command.alias(alias);
      if (named !== undefined && namesOf(command).includes(named)) (await load())(command);
    }
  }
  if (words[0] === 'complete') (await import('./commands/complete-command.ts')).addCompleteCommand(program);
  addExamples(program, EXAMPLES);
  finish(program);
  return program;
}

/** Gives a command and its subcommands errors that name the command, and a command `help`. */
function finish(command: Command): void {
  command.configureOutput({
    outputError: (message) => noteError(`${rewordUsageError(message, command)}\nSee: ${commandPath(command)} --help`),
  });
  if (command.commands.length === 0) return;
  command.usage('<command> [options]');
  for (const subcommand of command.commands) finish(subcommand);
  const help = command.command('help').description('show the help of a command').argument('[command...]');
  help.helpGroup(command.parent === null ? OTHER_GROUP : 'Commands:');
  help.action((names: readonly string[]) => findCommand(command, names).help());
}

/** The help command of commander takes only one name: for `help keys create` it would show the help of `keys`. */
function findCommand(command: Command, path: readonly string[]): Command {
  return path.reduce((parent, name) => {
    const found = parent.commands.find((each) => namesOf(each).includes(name));
    return found ?? parent.error(`error: unknown command '${name}'`);
  }, command);
}

/** Puts a space before a point such as `-33.87,151.21`, which commander would take for a flag. */
function protectNegativePoint(arg: string): string {
  return /^-[\d.]+\s*,/.test(arg) ? ` ${arg}` : arg;
}

type Reword = (found: string, command: Command) => string;

/** Rewordings of the errors of commander, so that all errors of the program sound alike. */
const REWORDINGS: readonly (readonly [RegExp, Reword])[] = [
  [/^unknown option '(.+)'$/s, unknownOption],
  [/^unknown command '(.+)'$/s, unknownCommand],
  [/^missing required argument '(.+)'$/, (name) => `the argument <${name}> is missing`],
  [/^required option '(.+)' not specified$/, (flags) => `the option ${flags} is required`],
  [/^option '(.+)' argument missing$/, (flags) => `the option ${flags} needs a value`],
];

/** Rewords the message of an error of this command, which begins with `error: `. */
function rewordUsageError(message: string, command: Command): string {
  const text = message.trimEnd().replace(/^error: /, '');
  for (const [pattern, reword] of REWORDINGS) {
    const found = pattern.exec(text)?.[1];
    if (found !== undefined) return reword(found, command);
  }
  return text;
}

/** `npx toponym keys create` */
function commandPath(command: Command): string {
  return command.parent === null ? commandName() : `${commandPath(command.parent)} ${command.name()}`;
}

/** Flags by which other servers are told to speak plain HTTP, or HTTPS. */
const HTTP_FLAG = /^--(?:no-|disable-|without-)?(?:https?|tls|ssl|insecure)(?:-port)?$/;
const HTTPS_ONLY =
  'the service speaks HTTPS, and its first start creates a certificate (your own: --tls-cert, --tls-key). ' +
  'Behind a proxy or platform that has the certificate, --behind-proxy serves plain HTTP to it.';

/** The value of `--flag=value` may be a secret, so the error does not repeat it. */
function unknownOption(given: string, command: Command): string {
  const [flag = ''] = given.split('=', 1);
  const options = command.createHelp().visibleOptions(command);
  const known = options.flatMap(({ long }) => long ?? []);
  if (HTTP_FLAG.test(flag) && known.includes('--behind-proxy')) return `unknown option ${flag}: ${HTTPS_ONLY}`;
  return `unknown option ${flag}${didYouMean(flag, known)}`;
}

function unknownCommand(name: string, command: Command): string {
  const commands = command.createHelp().visibleCommands(command);
  const known = commands.flatMap(namesOf);
  return `unknown command ${JSON.stringify(name)}${didYouMean(name, known)}`;
}
