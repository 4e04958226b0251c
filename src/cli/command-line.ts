/** Parses the command line, runs the command, and returns the exit code. */
import { Command, CommanderError } from 'commander';
import { maskKeys } from '../access/keys/key-text.ts';
import { VERSION } from '../version.ts';
import { handleOutputErrors, reportError } from './print/output.ts';

type AddCommand = (program: Command) => void;

const importPlaceCommands = async () => (await import('./commands/place-commands.ts')).addPlaceCommands;

/** Loaders of the commands, by name, so that `serve` does not load the code of `build`. */
const COMMANDS = new Map<string, () => Promise<AddCommand>>([
  ['serve', async () => (await import('./commands/serve-command.ts')).addServeCommand],
  ['demo', async () => (await import('./commands/demo-command.ts')).addDemoCommand],
  ['keys', async () => (await import('./commands/keys-command.ts')).addKeysCommand],
  ['doctor', async () => (await import('./commands/doctor-command.ts')).addDoctorCommand],
  ['build', async () => (await import('./commands/build-command.ts')).addBuildCommand],
  ['update', async () => (await import('./commands/update-command.ts')).addUpdateCommand],
  ['export', async () => (await import('./commands/export-command.ts')).addExportCommand],
  ['query', importPlaceCommands],
  ['explain', importPlaceCommands],
  ['reverse', importPlaceCommands],
  ['get', importPlaceCommands],
  ['inspect', async () => (await import('./commands/inspect-command.ts')).addInspectCommand],
  ['completion', async () => (await import('./commands/completion-command.ts')).addCompletionCommand],
]);

export async function run(args: readonly string[]): Promise<number> {
  handleOutputErrors();
  const program = new Command('toponym')
    .description('Search places by name, id or coordinates.')
    .version(VERSION, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'show help')
    .showHelpAfterError('Add --help to see the commands and options.')
    .configureOutput({ outputError: (message, write) => write(maskKeys(message).replace(/^error: /, 'toponym: ')) })
    .exitOverride();
  for (const add of await loadCommands(args[0])) add(program);
  try {
    await program.parseAsync(args.map(protectNegativePoint), { from: 'user' });
    return Number(process.exitCode ?? 0); // a command may have set it
  } catch (error) {
    // commander has printed the message, and sets the exit code 0 for --help and --version
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    return reportError(error);
  }
}

/** Loads the named command. Loads all if there is none of this name, or it describes all others. */
async function loadCommands(name: string | undefined): Promise<AddCommand[]> {
  const load = name === 'completion' ? undefined : COMMANDS.get(name ?? '');
  const loaders = load === undefined ? new Set(COMMANDS.values()) : [load]; // some names share a loader
  return await Promise.all(Array.from(loaders, (each) => each()));
}

/** Puts a space before a point such as `-33.87,151.21`, which commander would take for a flag. */
function protectNegativePoint(arg: string): string {
  return /^-[\d.]+\s*,/.test(arg) ? ` ${arg}` : arg;
}
