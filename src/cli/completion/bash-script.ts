/** The completion script for bash 3.2 or newer. It needs no other package. */

import type { CompletedCommand, CompletedValue } from '../commands/completion-command.ts';
import { shellQuote } from '../print/facts.ts';

export function bashScript(commands: readonly CompletedCommand[]): string {
  const groups = commands.filter(({ subcommands }) => subcommands.length > 0);
  return [
    `# Completion of toponym for bash. "toponym completion bash" prints it.`,
    HELPERS,
    `_toponym() {`,
    READ_WORDS,
    `      ${commands
      .slice(1)
      .map(({ path }) => shellQuote(path))
      .join(' | ')}) command="\${command:+$command }$word" ;;`,
    '      *)',
    '        # an unknown command has no completions; other words are arguments',
    `        case "$command" in ${groups.map(({ path }) => shellQuote(path)).join(' | ')}) return ;; esac`,
    '        break',
    '        ;;',
    '    esac',
    '  done',
    '  # the value of a flag',
    '  case "$distance $command $flag" in',
    ...valueCases(commands),
    '  esac',
    '  local flags=',
    '  case "$command" in',
    ...commands.map(
      ({ path, flags }) =>
        `    ${shellQuote(path)}) flags=${shellQuote(flags.flatMap(({ names }) => names).join(' '))} ;;`,
    ),
    '  esac',
    '  if [[ $cur == -* && $flag != -- ]]; then',
    '    _toponym_values $flags',
    '    return',
    '  fi',
    '  case "$command" in',
    ...commands.map((command) => `    ${shellQuote(command.path)}) ${wordAction(command)} ;;`),
    '  esac',
    '}',
    `complete -F _toponym toponym`,
    '',
  ].join('\n');
}

const HELPERS = `_toponym_add() {
  # quoted, so that a space stays in its word
  local quoted
  printf -v quoted '%q' "$1"
  if [[ $1 == "$cur"* || $quoted == "$cur"* ]]; then COMPREPLY+=("$head$quoted"); fi
}
_toponym_values() {
  local head= value
  for value in "$@"; do _toponym_add "$value"; done
}
_toponym_list() {
  local head= value
  if [[ $cur == *,* ]]; then head="\${cur%,*},"; cur="\${cur##*,}"; fi
  for value in "$@"; do _toponym_add "$value"; done
  compopt -o nospace 2>/dev/null
}
_toponym_files() {
  # $1: -f for files and folders, -d for folders
  local name
  while IFS= read -r name; do COMPREPLY+=("$name"); done < <(compgen "$1" -- "$cur")
  compopt -o filenames 2>/dev/null
}`;

const READ_WORDS = `  local IFS=$' \\t\\n' cur="\${COMP_WORDS[COMP_CWORD]}" command= flag= word i distance=0
  COMPREPLY=()
  # bash divides --flag=value into three words
  if [[ $cur == '=' ]]; then cur=; fi
  # the last flag before the word, and how many words ago it was
  for ((i = COMP_CWORD - 1; i > 0; i--)); do
    word="\${COMP_WORDS[i]}"
    if [[ $word == '=' ]]; then continue; fi
    distance=$((distance + 1))
    if [[ $word == -* ]]; then flag=$word; break; fi
  done
  for ((i = 1; i < COMP_CWORD; i++)); do
    word="\${COMP_WORDS[i]}"
    if [[ $word == -* ]]; then continue; fi
    case "\${command:+$command }$word" in`;

/** One line per action: the flags of all commands whose values it completes. */
function valueCases(commands: readonly CompletedCommand[]): string[] {
  const cases = commands.flatMap(({ path, flags }) =>
    flags.flatMap(({ names, value, laterValues }) =>
      names.flatMap((name) => [
        ...(value === undefined ? [] : [{ action: actionOf(value), pattern: shellQuote(`1 ${path} ${name}`) }]),
        ...(laterValues === undefined
          ? []
          : ['[2-9]', '[1-9][0-9]*'].map((distance) => ({
              action: actionOf(laterValues),
              pattern: `${distance}${shellQuote(` ${path} ${name}`)}`,
            }))),
      ]),
    ),
  );
  return Array.from(
    Map.groupBy(cases, ({ action }) => action),
    ([action, same]) => `    ${same.map(({ pattern }) => pattern).join(' | ')}) ${action}; return ;;`,
  );
}

function wordAction({ subcommands, argument }: CompletedCommand): string {
  if (subcommands.length > 0) return `_toponym_values ${subcommands.map(({ name }) => name).join(' ')}`;
  // a command without arguments has only flags to offer
  return argument === undefined ? '_toponym_values $flags' : actionOf(argument);
}

function actionOf(value: CompletedValue): string {
  if (value.kind === 'files') return '_toponym_files -f';
  if (value.kind === 'folders') return '_toponym_files -d';
  if (value.kind === 'anything') return ':';
  return `${value.isList ? '_toponym_list' : '_toponym_values'} ${value.values.map(shellQuote).join(' ')}`;
}
