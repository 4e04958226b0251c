/** Rewords the errors of commander, so that all errors of the program sound alike. */
import type { Command } from 'commander';
import { commandName } from '../program.ts';
import { didYouMean } from './did-you-mean.ts';

type Reword = (found: string, command: Command) => string;

const REWORDINGS: readonly (readonly [RegExp, Reword])[] = [
  [/^unknown option '(.+)'$/s, unknownOption],
  [/^unknown command '(.+)'$/s, unknownCommand],
  [/^missing required argument '(.+)'$/, (name) => `the argument <${name}> is missing`],
  [/^required option '(.+)' not specified$/, (flags) => `the option ${flags} is required`],
  [/^option '(.+)' argument missing$/, (flags) => `the option ${flags} needs a value`],
];

/** Rewords the message of an error of this command, which begins with `error: `. */
export function rewordUsageError(message: string, command: Command): string {
  const text = message.trimEnd().replace(/^error: /, '');
  for (const [pattern, reword] of REWORDINGS) {
    const found = pattern.exec(text)?.[1];
    if (found !== undefined) return reword(found, command);
  }
  return text;
}

/** `npx toponym keys create` */
export function commandPath(command: Command): string {
  return command.parent === null ? commandName() : `${commandPath(command.parent)} ${command.name()}`;
}

/** The value of `--flag=value` may be a secret, so the error does not repeat it. */
function unknownOption(given: string, command: Command): string {
  const [flag = ''] = given.split('=', 1);
  const known = command.createHelp().visibleOptions(command);
  return `unknown option ${flag}${didYouMean(
    flag,
    known.flatMap(({ long }) => long ?? []),
  )}`;
}

function unknownCommand(name: string, command: Command): string {
  const known = command.createHelp().visibleCommands(command);
  return `unknown command ${JSON.stringify(name)}${didYouMean(
    name,
    known.map((each) => each.name()),
  )}`;
}
