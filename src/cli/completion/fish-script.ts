/** The completion script for fish 3 or newer. */
import type { CompletedCommand, CompletedFlag, CompletedValue } from '../commands/completion-command.ts';

export function fishScript(commands: readonly CompletedCommand[]): string {
  return [
    `# Completion of toponym for fish. "toponym completion fish" prints it.`,
    ...helpers(commands),
    `complete -c toponym -f`,
    ...commands.flatMap((command) => linesOf(command).map((line) => `complete -c toponym ${line}`)),
    '',
  ].join('\n');
}

function helpers(commands: readonly CompletedCommand[]): string[] {
  const paths = commands.slice(1).map(({ path }) => quoted(path));
  const groups = commands.filter(({ subcommands }) => subcommands.length > 0).map(({ path }) => quoted(path));
  return [
    '# whether the words before the cursor are this command',
    'function __toponym_is',
    '    set -l path',
    '    set -l words (commandline -opc)',
    '    for word in $words[2..-1]',
    "        string match -q -- '-*' $word; and continue",
    `        if contains -- (string join ' ' $path $word) ${paths.join(' ')}`,
    '            set -a path $word',
    `        else if contains -- "$path" ${groups.join(' ')}`,
    '            return 1 # an unknown command',
    '        else',
    '            break',
    '        end',
    '    end',
    '    test "$path" = "$argv[1]"',
    'end',
    '# a list of values, separated by commas',
    'function __toponym_list',
    "    set -l head (commandline -ct | string replace -r -- '^-[^=]*=' '' | string replace -r '[^,]*$' '')",
    '    for value in $argv',
    '        echo "$head$value"',
    '    end',
    'end',
  ];
}

function linesOf({ path, flags, subcommands, argument }: CompletedCommand): string[] {
  const when = `-n ${quoted(`__toponym_is "${path}"`)}`;
  const later = flags.find(({ laterValues }) => laterValues !== undefined)?.laterValues;
  const words = argument ?? (later?.kind === 'files' ? later : undefined);
  return [
    ...subcommands.map(({ name, description }) => `${when} -a ${name} -d ${quoted(description)}`),
    ...(words === undefined || words.kind === 'anything' ? [] : [`${when} ${wordFlags(words)}`]),
    ...flags.map((flag) => `${when} ${flagText(flag)}`),
  ];
}

function flagText({ names, description, value }: CompletedFlag): string {
  const spelt = names.map((name) => (name.startsWith('--') ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`));
  return [...spelt, ...(value === undefined ? [] : [valueFlags(value)]), `-d ${quoted(description)}`].join(' ');
}

function valueFlags(value: CompletedValue): string {
  if (value.kind === 'files') return '-r -F';
  return `-x ${value.kind === 'anything' ? '' : wordFlags(value)}`.trimEnd();
}

function wordFlags(value: CompletedValue): string {
  if (value.kind === 'files') return '-F';
  if (value.kind === 'folders') return `-a '(__fish_complete_directories)'`;
  if (value.kind === 'anything') return '';
  const words = value.values.map((word) => (/^[\w.-]+$/.test(word) ? word : `"${word}"`)).join(' ');
  return `-a ${quoted(value.isList ? `(__toponym_list ${words})` : words)}`;
}

function quoted(text: string): string {
  return `'${text.replaceAll(/[\\']/g, String.raw`\$&`)}'`;
}
