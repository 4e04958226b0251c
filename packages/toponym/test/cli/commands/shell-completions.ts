/** Asks real shells what they would complete. */
import { execFileSync } from 'node:child_process';

export interface ShellQuestion {
  /** Path of the shell. */
  readonly shell: string;
  /** File with the completion script. */
  readonly script: string;
  /** The words before the cursor; the last one is completed. */
  readonly words: readonly string[];
  readonly cwd: string;
}

const BASH = `
source "$1" || exit 3
shift
COMP_WORDS=("$@")
COMP_CWORD=$(($# - 1))
_toponym
printf '%s\\n' "\${COMPREPLY[@]}"
`;

/** Calls the function as bash does. */
export function bashCompletions({ shell, script, words, cwd }: ShellQuestion): string[] {
  return linesOf(execFileSync(shell, ['--norc', '--noprofile', '-c', BASH, 'bash', script, ...words], options(cwd)));
}

/**
 * Types the words and Tab into an interactive zsh in a pseudo-terminal. Its `compadd`, through which
 * all completions go, prints them.
 */
const ZSH = `
zmodload zsh/zpty
zpty inner zsh -f -i
read -r -d '' setup <<'END'
PROMPT=
autoload -Uz compinit && compinit -u -d $TOPONYM_DUMP
source $TOPONYM_SCRIPT
bindkey '^I' complete-word
zstyle ':completion:*' insert-tab false
compadd () {
  if [[ \${@[1,(i)(-|--)]} == *-(O|A|D)\\ * ]]; then builtin compadd "$@"; return; fi
  typeset -a __hits
  builtin compadd -A __hits "$@"
  for each in $__hits; do print -r -- "HIT $IPREFIX$each"; done
  builtin compadd "$@"
}
finish () { print -r -- FINISHED; exit }
comppostfuncs=( finish )
END
print -r -- "$setup" > $TOPONYM_SETUP
zpty -w inner "source $TOPONYM_SETUP; print READ''Y"
while zpty -r inner line; do [[ $line == *READY* ]] && break; done
zpty -w -n inner "$1"$'\\t'
while zpty -r inner line; do
  print -r -- $line
  [[ $line == *FINISHED* ]] && break
done
zpty -d inner
`;

export function zshCompletions({ shell, script, words, cwd }: ShellQuestion): string[] {
  const env = {
    ...process.env,
    TOPONYM_SCRIPT: script,
    TOPONYM_SETUP: `${script}.setup`,
    TOPONYM_DUMP: `${script}.dump`,
    TERM: 'dumb',
  };
  const typed = words.map((word) => word.replaceAll(' ', '\\ ')).join(' ');
  const output = execFileSync(shell, ['-f', '-c', ZSH, 'zsh', typed], { ...options(cwd), env });
  const hits = output.split(/[\r\n]+/).flatMap((line) => /HIT (.*)$/.exec(line)?.slice(1) ?? []);
  return [...new Set(hits)];
}

const FISH = `
source $argv[1]; or exit 3
complete -C $argv[2]
`;

export function fishCompletions({ shell, script, words, cwd }: ShellQuestion): string[] {
  const args = ['--no-config', '-c', FISH, script, words.join(' ')];
  return linesOf(execFileSync(shell, args, options(cwd))).map((line) => line.split('\t')[0] ?? '');
}

function options(cwd: string) {
  return { cwd, encoding: 'utf8', timeout: 60_000 } as const;
}

function linesOf(output: string): string[] {
  return output.split('\n').filter((line) => line !== '');
}
