/** The look of all help texts: titles, wrapping, examples. */

import { type Argument, type Command, Help, type HelpConfiguration, type Option } from 'commander';
import { commandName } from 'toponym-files/program';
import { applyStyle } from './print/styled-text.ts';
import { wrapWords } from './print/text-width.ts';

const MAX_WIDTH = 100;
const ITEM_INDENT = '  ';
/** If less room is left beside the flags, each description goes below its flag. */
const MIN_DESCRIPTION_WIDTH = 36;
const CONTINUATION = `${ITEM_INDENT}${ITEM_INDENT}`;

export const HELP_CONFIGURATION: HelpConfiguration = {
  minWidthToWrap: 20,
  styleTitle: (title) => applyStyle('title', title),
  styleOptionTerm: (flags) => applyStyle('bar', flags),
  styleSubcommandTerm: (name) => applyStyle('bar', name),
  visibleOptions: listOptions,
  optionDescription: (option) => Help.prototype.optionDescription(withoutChoices(option)),
  argumentDescription: (argument) => Help.prototype.argumentDescription(withoutChoices(argument)),
  subcommandTerm: (command) => Help.prototype.subcommandTerm(command).replace(' [options]', ''),
  formatItem(term, termWidth, description, helper) {
    const width = helper.helpWidth ?? MAX_WIDTH;
    const isBeside = width - termWidth - 2 * ITEM_INDENT.length >= MIN_DESCRIPTION_WIDTH;
    if (isBeside || description === '') {
      return Help.prototype.formatItem.call(helper, term, termWidth, description, helper);
    }
    const below = helper.boxWrap(description, width - 3 * ITEM_INDENT.length);
    return [ITEM_INDENT + term, ...below.split('\n').map((line) => ITEM_INDENT.repeat(3) + line)].join('\n');
  },
};

/** Lines of text are easier to read if they are not too long. */
export function helpWidth(stream: NodeJS.WriteStream): number {
  return stream.isTTY ? Math.min(stream.columns || 80, MAX_WIDTH) : 80;
}

/** Ends the help of a command with examples, after a remark if there is one. */
export function addExamples(command: Command, examples: readonly string[], remark?: string): Command {
  return command.addHelpText('after', ({ error }) => {
    const width = helpWidth(error ? process.stderr : process.stdout);
    const remarkLines = remark === undefined ? [] : ['', ...wrapWords(remark, width)];
    const lines = examples.map((example) => formatExample(example, width));
    return [...remarkLines, '', applyStyle('title', 'Examples:'), ...lines].join('\n');
  });
}

/** Values that completion offers for a flag, such as `from`, or for an argument. The description names them in its own words. */
export function addChoices(command: Command, name: string, values: readonly string[]): void {
  const found = [...command.options, ...command.registeredArguments].find((each) => each.name() === name)!;
  found.argChoices = [...values];
}

/** The name of a command and its aliases. */
export function namesOf(command: Command): string[] {
  return [command.name(), ...command.aliases()];
}

function withoutChoices<T extends Option | Argument>(of: T): T {
  return Object.create(of, { argChoices: { value: undefined } }) as T;
}

/** An example that is too wide continues after a backslash, so that it can be pasted into a shell. */
function formatExample(example: string, width: number): string {
  const lines = wrapWords(example.replace(/^toponym\b/, commandName()), width - CONTINUATION.length - 2);
  return lines.map((line, i) => (i === 0 ? ITEM_INDENT : CONTINUATION) + line).join(' \\\n');
}

/** The options of a command, with those of the program that every command takes before `--help`. */
function listOptions(command: Command): Option[] {
  const options = Help.prototype.visibleOptions(command);
  if (command.parent === null) return options;
  const shared = programOf(command).options.filter(({ long }) => long === '--no-color');
  return [...options.slice(0, -1), ...shared, ...options.slice(-1)];
}

function programOf(command: Command): Command {
  return command.parent === null ? command : programOf(command.parent);
}
