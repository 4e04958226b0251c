/** `toponym completion`: prints a script that completes commands, flags and values in a shell. */
import { Argument, type Command } from 'commander';
import { bashScript } from '../completion/bash-script.ts';
import { type CompletedCommand, completedCommand, SHELLS, type Shell } from '../completion/completed-command.ts';
import { fishScript } from '../completion/fish-script.ts';
import { zshScript } from '../completion/zsh-script.ts';
import { requireOneOf } from '../did-you-mean.ts';
import { addExamples } from '../help.ts';
import { printResult } from '../print/output.ts';

const SCRIPTS: Readonly<Record<Shell, (program: CompletedCommand) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
};

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
      const script = SCRIPTS[shell](completedCommand(program));
      printResult(flags.json, { shell, script }, () => script.trimEnd());
    });
  addExamples(command, ['toponym completion bash', 'toponym completion zsh', 'toponym completion fish']);
}
