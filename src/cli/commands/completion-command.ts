/**
 * `toponym completion`: prints a script that completes commands, flags and values in a shell. They are
 * read from commander's tree, so the script is never out of date.
 */
import { Argument, type Command, type Option } from 'commander';
import { GEONAMES_SETS } from '../../datasets/geonames-plan.ts';
import { OPTIONS, type OptionDefinition, type OptionName } from '../../options.ts';
import { SOURCE_FORMATS } from '../../sources/source-format.ts';
import { bashScript } from '../completion/bash-script.ts';
import { fishScript } from '../completion/fish-script.ts';
import { zshScript } from '../completion/zsh-script.ts';
import { addExamples } from '../help.ts';
import { printResult } from '../print/output.ts';
import { requireOneOf } from '../settings/read-settings.ts';
import { LOG_LEVELS } from '../settings/settings.ts';
import { COPY_SOURCES, COPY_TARGETS } from './keys-command.ts';
import { flagName, isSwitch } from './place-commands.ts';

/** What completes a value. */
export type CompletedValue =
  | { readonly kind: 'files' }
  | { readonly kind: 'folders' }
  | { readonly kind: 'anything' }
  | { readonly kind: 'values'; readonly values: readonly string[]; readonly isList: boolean };

export interface CompletedFlag {
  /** Such as `-h` and `--help`. */
  readonly names: readonly string[];
  readonly description: string;
  /** Undefined if the flag takes no value. */
  readonly value: CompletedValue | undefined;
  /** What completes the second value and later ones; undefined if there is only one. */
  readonly laterValues: CompletedValue | undefined;
  readonly canRepeat: boolean;
}

export interface CompletedCommand {
  /** Such as `keys create`; empty for the program. */
  readonly path: string;
  readonly name: string;
  readonly description: string;
  readonly flags: readonly CompletedFlag[];
  readonly subcommands: readonly CompletedCommand[];
  /** Undefined if the command takes no argument. */
  readonly argument: CompletedValue | undefined;
}

const SCRIPTS = { bash: bashScript, zsh: zshScript, fish: fishScript };
const SHELLS = Object.keys(SCRIPTS) as (keyof typeof SCRIPTS)[];

const HELP = `
To install it:
  bash  mkdir -p ~/.local/share/bash-completion/completions
        toponym completion bash > \\
          ~/.local/share/bash-completion/completions/toponym
        or, without the package bash-completion, in ~/.bashrc:
        source <(toponym completion bash)
  zsh   in ~/.zshrc, after compinit:
        source <(toponym completion zsh)
  fish  mkdir -p ~/.config/fish/completions
        toponym completion fish > ~/.config/fish/completions/toponym.fish`;

/** The program must have all its commands. */
export function addCompletionCommand(program: Command): void {
  const command = program
    .command('completion')
    .description('print a script for completion with the Tab key')
    .addArgument(new Argument('<shell>', SHELLS.join(', ')))
    .option('--json', 'print {"shell","script"}')
    .addHelpText('after', HELP)
    .action((given: string, flags: { json?: boolean }) => {
      const shell = requireOneOf('shell', given, SHELLS);
      const script = SCRIPTS[shell](listCommands(program));
      printResult(flags.json, { shell, script }, () => script.trimEnd());
    });
  addExamples(command, ['toponym completion bash', 'toponym completion zsh', 'toponym completion fish']);
}

interface FixedList {
  /** A flag of every command, or of one: `update --from`. An argument is in angle brackets. */
  readonly where: string;
  readonly values: readonly string[];
  /** Whether several values may be separated by commas. */
  readonly isList?: boolean;
}

/** Flags and arguments whose values are a fixed list, which the code that checks them also uses. */
const FIXED_LISTS: readonly FixedList[] = [
  ...optionLists(),
  { where: '--log-level', values: LOG_LEVELS },
  { where: '--redis-mode', values: ['standalone', 'cluster'] }, // and sentinel:NAME
  { where: '--set', values: GEONAMES_SETS },
  { where: 'build --from', values: SOURCE_FORMATS },
  { where: 'update --from', values: ['geonames'] },
  { where: 'keys copy --from', values: COPY_SOURCES },
  { where: 'keys copy --to', values: COPY_TARGETS },
  { where: 'completion <shell>', values: SHELLS },
];

function optionLists(): FixedList[] {
  return (Object.keys(OPTIONS) as OptionName[]).flatMap((name) => {
    const option: OptionDefinition = OPTIONS[name];
    const values = option.kind === 'boolean' && !isSwitch(option) ? ['true', 'false'] : option.values;
    return values ? [{ where: flagName(name), values, isList: option.kind === 'types' }] : [];
  });
}

const MAX_DESCRIPTION = 72;

/** The command itself and all commands below it. */
function listCommands(command: Command, parentPath?: string): CompletedCommand[] {
  const help = command.createHelp();
  const path = parentPath === undefined ? '' : `${parentPath} ${command.name()}`.trim();
  const [argument] = command.registeredArguments;
  const below = help.visibleCommands(command).map((each) => listCommands(each, path));
  const completed: CompletedCommand = {
    path,
    name: command.name(),
    description: shortDescription(command.description()),
    flags: help.visibleOptions(command).map((option) => completedFlag(option, path)),
    subcommands: below.flatMap(([subcommand]) => subcommand ?? []),
    argument: argument && completedArgument(argument, path),
  };
  return [completed, ...below.flat()];
}

function completedFlag(option: Option, path: string): CompletedFlag {
  const names = [option.short, option.long].filter((name) => name !== undefined);
  const takesValue = option.required || option.optional;
  const [, placeholder = ''] = /[<[]([^>\]]+)[>\]]/.exec(option.flags) ?? [];
  const fixed = fixedValues(path, option.long ?? '');
  return {
    names,
    description: shortDescription(option.description),
    value: takesValue ? (fixed ?? valueNamed(placeholder)) : undefined,
    laterValues: option.variadic ? valueNamed(placeholder) : undefined,
    canRepeat: option.variadic || option.parseArg !== undefined,
  };
}

function completedArgument(argument: Argument, path: string): CompletedValue {
  return fixedValues(path, `<${argument.name()}>`) ?? valueNamed(argument.name());
}

/** `name`: a flag, or an argument in angle brackets. */
function fixedValues(path: string, name: string): CompletedValue | undefined {
  const found = FIXED_LISTS.find(({ where }) => where === `${path} ${name}` || where === name);
  return found && { kind: 'values', values: found.values, isList: found.isList ?? false };
}

/** By the name in the help text: `<file>` is a file. */
function valueNamed(placeholder: string): CompletedValue {
  if (/\b(files?|path)\b/.test(placeholder)) return { kind: 'files' };
  return { kind: /\bfolder\b/.test(placeholder) ? 'folders' : 'anything' };
}

/** The first clause, without the variable and the default of a setting. */
function shortDescription(description: string): string {
  const text = description.replaceAll(/ \[TOPONYM_\w+\]| \(default: .*\)$/g, '').replaceAll('`', '');
  const [clause = ''] = text.split(/; |\. |: /);
  return clause.length <= MAX_DESCRIPTION
    ? clause.replace(/\.$/, '')
    : `${clause.slice(0, MAX_DESCRIPTION - 1).trimEnd()}…`;
}
