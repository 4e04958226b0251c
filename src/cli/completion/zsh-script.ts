/** The completion script for zsh, which uses its completion system (compinit). */

import type { CompletedCommand, CompletedFlag, CompletedValue } from '../commands/completion-command.ts';
import { shellQuote } from '../print/facts.ts';

export function zshScript(commands: readonly CompletedCommand[]): string {
  return [
    '#compdef toponym',
    '# Completion of toponym for zsh. "toponym completion zsh" prints it.',
    LIST_FUNCTION,
    ...commands.map(commandFunction),
    '# loaded from fpath, it is the function itself; sourced, it registers the function',
    'if [[ $funcstack[1] == _toponym ]]; then',
    '  _toponym "$@"',
    'else',
    '  compdef _toponym toponym',
    'fi',
    '',
  ].join('\n');
}

const LIST_FUNCTION = `_toponym_list() {
  compset -P '*,'
  compadd -S '' -- "$@"
}`;

function commandFunction(command: CompletedCommand): string {
  return command.subcommands.length === 0 ? leafFunction(command) : groupFunction(command);
}

function groupFunction({ path, flags, subcommands }: CompletedCommand): string {
  const names = subcommands.map(({ name, description }) => shellQuote(`${name}:${description}`));
  const cases = subcommands.map(({ name, path: subpath }) => `        (${name}) ${functionName(subpath)} ;;`);
  return [
    `${functionName(path)}() {`,
    '  local curcontext="$curcontext" state line',
    '  typeset -A opt_args',
    `  _arguments -C -S : ${flags.map(flagSpec).join(' ')} '1: :->command' '*:: :->rest'`,
    '  case $state in',
    '    (command)',
    `      local -a commands=(${names.join(' ')})`,
    `      _describe -t commands command commands`,
    '      ;;',
    '    (rest)',
    '      case $line[1] in',
    ...cases,
    '      esac',
    '      ;;',
    '  esac',
    '}',
  ].join('\n');
}

function leafFunction({ path, flags, argument }: CompletedCommand): string {
  const specs = flags.map(flagSpec);
  if (argument !== undefined) specs.push(shellQuote(`*:${messageOf(argument)}:${actionOf(argument)}`));
  return `${functionName(path)}() {\n  _arguments -S : \\\n    ${specs.join(' \\\n    ')}\n}`;
}

/** `toponym` -> `_toponym`; `keys create` -> `_toponym_keys_create` */
function functionName(path: string): string {
  return `_toponym${path === '' ? '' : `_${path.replaceAll(/[ -]/g, '_')}`}`;
}

/** One of the names of a flag excludes the others: `(-h --help)`. */
function flagSpec({ names, description, value, laterValues, canRepeat }: CompletedFlag): string {
  const explanation = `[${description.replaceAll(/[[\]\\]/g, String.raw`\$&`)}]`;
  const excluded = names.length > 1 && !canRepeat ? `(${names.join(' ')})` : '';
  const more = laterValues && `:*-*:${messageOf(laterValues)}:${actionOf(laterValues)}`;
  const values = value === undefined ? '' : `:${messageOf(value)}:${actionOf(value)}${more ?? ''}`;
  return names
    .map((name) => {
      const separator = value !== undefined && name.startsWith('--') ? '=' : '';
      return shellQuote(`${canRepeat ? '*' : excluded}${name}${separator}${explanation}${values}`);
    })
    .join(' ');
}

function messageOf({ kind }: CompletedValue): string {
  return { files: 'file', folders: 'folder', values: 'value', anything: 'value' }[kind];
}

function actionOf(value: CompletedValue): string {
  if (value.kind === 'files') return '_files';
  if (value.kind === 'folders') return '_files -/';
  if (value.kind === 'anything') return ' '; // shows the message and completes nothing
  const words = value.values.map((word) => word.replaceAll(/[^\w.-]/g, String.raw`\$&`)).join(' ');
  return value.isList ? `{_toponym_list ${words}}` : `(${words})`;
}
