/** `toponym completion`: prints a script that lets a shell ask `toponym complete` what the Tab key completes. */
import type { Command } from 'commander';
import { commandName, PROGRAM } from 'toponym-files/program';
import { addChoices, addExamples } from '../help.ts';
import { shellQuote } from '../print/facts.ts';
import { printResult } from '../print/output.ts';
import { requireOneOf } from '../settings/read-settings.ts';

/** For bash 3.2 or newer, without other packages. It divides `--flag=value` into three words. */
const BASH = `_toponym() {
  local cur="\${COMP_WORDS[COMP_CWORD]#=}" kind= files= word
  COMPREPLY=()
  while IFS=$'\\t' read -r word _; do
    word="\${word// /\\\\ }"
    if [[ -z $kind ]]; then kind=$word
    elif [[ $word == "$cur"* ]]; then COMPREPLY+=("$word")
    fi
  done < <(TOPONYM complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
  case $kind in
    list) compopt -o nospace 2>/dev/null; return ;;
    files) files=-f ;;
    folders) files=-d ;;
    *) return ;;
  esac
  while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen $files -- "$cur")
  compopt -o filenames 2>/dev/null
}
complete -F _toponym toponym
`;

/** For the completion system of zsh (compinit), which finds the script in fpath and calls it, or after which it is sourced. */
const ZSH = `#compdef toponym
_toponym() {
  local -a found=("\${(@f)$(TOPONYM complete -- "\${(@)words[2,CURRENT-1]}" "$PREFIX" 2>/dev/null)}")
  local kind=$found[1]
  found=("\${(@)found[2,-1]/$'\\t'/:}")
  case $kind in
    (words) _describe 'completion' found ;;
    (list) _describe 'completion' found -S '' ;;
    (files) compset -P '--*='; _files ;;
    (folders) compset -P '--*='; _files -/ ;;
  esac
}
if [[ $funcstack[1] == _toponym ]]; then _toponym "$@"; else compdef _toponym toponym; fi
`;

/** For fish 3 or newer, which checks the conditions one after the other: one call answers them all. */
const FISH = `function __toponym
    set -l words (commandline -opc) (commandline -ct)
    if test "$words" != "$__toponym_words"
        set -g __toponym_words $words
        set -g __toponym_found (TOPONYM complete -- $words[2..-1] 2>/dev/null)
    end
    contains -- "$__toponym_found[1]" $argv
end
complete -c toponym -f
complete -c toponym -n '__toponym words list' -a '$__toponym_found[2..-1]'
complete -c toponym -n '__toponym files' -F
complete -c toponym -n '__toponym folders' -a '(__fish_complete_directories)'
`;

const SCRIPTS = { bash: BASH, zsh: ZSH, fish: FISH };
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

export function addCompletionCommand(command: Command): void {
  command
    .option('--json', 'print {"shell","script"}')
    .addHelpText('after', HELP)
    .action((given: string, flags: { json?: boolean }) => {
      const shell = requireOneOf('shell', given, SHELLS);
      // what npx runs is not in PATH
      const program = commandName() === 'toponym' ? 'toponym' : shellQuote(PROGRAM);
      const script = SCRIPTS[shell].replace('TOPONYM', () => program);
      printResult(flags.json, { shell, script }, () => script.trimEnd());
    });
  addChoices(command, 'shell', SHELLS);
  addExamples(command, ['toponym completion bash', 'toponym completion zsh', 'toponym completion fish']);
}
