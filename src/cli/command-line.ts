/**
 * The command line: argv to a command, and what a command throws to one sentence and an exit code.
 */
import { Command, CommanderError } from 'commander';
import { VERSION } from '../version.ts';
import { outliveReaders, reportError } from './print/output.ts';

type Add = (program: Command) => void;

/** Commands by their first word. Each is loaded when it is called, so that a service need not wait for the importers. */
const COMMANDS: Readonly<Record<string, () => Promise<Add>>> = {
  serve: async () => (await import('./commands/serve-command.ts')).addServeCommand,
  keys: async () => (await import('./commands/keys-command.ts')).addKeysCommand,
  build: async () => (await import('./commands/build-command.ts')).addBuildCommand,
  update: async () => (await import('./commands/update-command.ts')).addUpdateCommand,
  export: async () => (await import('./commands/export-command.ts')).addExportCommand,
  query: async () => (await import('./commands/place-commands.ts')).addPlaceCommands,
  reverse: async () => (await import('./commands/place-commands.ts')).addPlaceCommands,
  get: async () => (await import('./commands/place-commands.ts')).addPlaceCommands,
  inspect: async () => (await import('./commands/inspect-command.ts')).addInspectCommand,
};

/** Resolves with the exit code. */
export async function run(args: readonly string[]): Promise<number> {
  outliveReaders();
  const program = new Command('toponym')
    .description('Place search: by name, by id, by coordinates.')
    .version(VERSION, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'show help')
    .showHelpAfterError('Add --help to see the commands and options.')
    .configureOutput({ outputError: (message, write) => write(message.replace(/^error: /, 'toponym: ')) })
    .exitOverride();
  for (const add of await commandsFor(args[0])) add(program);
  try {
    await program.parseAsync(args.map(hideMinus), { from: 'user' });
    return Number(process.exitCode ?? 0);
  } catch (error) {
    // commander has said what is wrong; its code is 0 for --help and --version
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    return reportError(error);
  }
}

/** The one that is called; all of them for help, and to say which there are. */
async function commandsFor(word: string | undefined): Promise<Set<Add>> {
  const called = Object.entries(COMMANDS).filter(([name]) => name === word);
  const wanted = called.length > 0 ? called : Object.entries(COMMANDS);
  return new Set(await Promise.all(wanted.map(([, load]) => load())));
}

/** `-33.87,151.21` is a point, not a flag: a space before it hides the minus from commander and nobody else minds it. */
function hideMinus(arg: string): string {
  return /^-[\d.]+\s*,/.test(arg) ? ` ${arg}` : arg;
}
