/**
 * The `toponym` command: argv to a command, and what a command throws to one sentence and an exit code.
 */
import { Command, CommanderError } from 'commander';
import { addBuildCommand } from './build-command.ts';
import { addExportCommand } from './export-command.ts';
import { addInspectCommand } from './inspect-command.ts';
import { addKeysCommand } from './keys-command.ts';
import { reportError } from './output.ts';
import { addPlaceCommands } from './place-commands.ts';
import { addServeCommand } from './serve-command.ts';
import { addUpdateCommand } from './update-command.ts';
import { VERSION } from './version.ts';

process.exitCode = await run(process.argv.slice(2));

async function run(args: readonly string[]): Promise<number> {
  const program = new Command('toponym')
    .description('Place search: by name, by id, by coordinates.')
    .version(VERSION, '--version', 'print the version')
    .helpOption('--help', 'show help')
    .exitOverride();
  addServeCommand(program);
  addKeysCommand(program);
  addBuildCommand(program);
  addUpdateCommand(program);
  addExportCommand(program);
  addPlaceCommands(program);
  addInspectCommand(program);
  try {
    await program.parseAsync(args.map(hideMinus), { from: 'user' });
    return Number(process.exitCode ?? 0);
  } catch (error) {
    // commander has said what is wrong; its code is 0 for --help and --version
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    return reportError(error);
  }
}

/** `-33.87,151.21` is a point, not a flag: a space before it hides the minus from commander and nobody else minds it. */
function hideMinus(arg: string): string {
  return /^-[\d.]+\s*,/.test(arg) ? ` ${arg}` : arg;
}
