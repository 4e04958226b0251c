/**
 * `toponym complete -- WORDS…`: what the Tab key offers for the last of the words. The scripts of `toponym completion`
 * call it. It reads commander's tables of commands, flags and choices, so it is never out of date.
 *
 * The first line says what the shell has to do: offer the words of the other lines (`words`), offer them without a
 * space behind them (`list`: more may follow after a comma), or offer names of `files` or `folders`. A tab separates
 * a word from its description.
 */
import { type Argument, type Command, Option } from 'commander';
import { namesOf } from '../help.ts';

interface Offer {
  readonly kind: 'words' | 'list' | 'files' | 'folders';
  /** With their descriptions, if they have any. */
  readonly words: readonly (readonly [word: string, description?: string])[];
}

const NOTHING: Offer = { kind: 'words', words: [] };
const MAX_DESCRIPTION = 72;

export function addCompleteCommand(program: Command): void {
  program
    .command('complete', { hidden: true })
    .argument('[words...]')
    .action((words: readonly string[]) => void process.stdout.write(formatOffer(program, words)));
}

function formatOffer(program: Command, typed: readonly string[]): string {
  const last = typed.at(-1)?.replaceAll('\\', '') ?? ''; // as typed: a space in it may be escaped
  const [flag = ''] = /^--[\w-]+=/.exec(last) ?? [];
  const { kind, words } = findOffer(program, divideFlags([...typed.slice(0, -1), last]));
  // the words replace the whole last word
  const head = flag + (kind === 'list' ? last.slice(flag.length, last.lastIndexOf(',') + 1) : '');
  const lines = words.map(([word, description]) => `${head}${word}${description ? `\t${description}` : ''}`);
  return [kind, ...lines, ''].join('\n');
}

/** Makes two words of `--flag=value`, as if there was a space, and also of the three that bash makes of it. */
function divideFlags(typed: readonly string[]): string[] {
  const words = typed.flatMap((word) => /^(--[\w-]+)=(.*)$/s.exec(word)?.slice(1) ?? (word === '=' ? [] : [word]));
  return typed.at(-1) === '=' ? [...words, ''] : words;
}

/** Reads the words before the last one as commander does. */
function findOffer(program: Command, words: readonly string[]): Offer {
  const last = words.at(-1) ?? '';
  const used = new Set<Option>();
  let command = program;
  let flag: Option | undefined; // the last one
  let valueCount = 0; // of this flag
  let hasEnded = false; // the flags have, by `--`
  for (const word of words.slice(0, -1)) {
    if (word.startsWith('-') && !hasEnded) {
      hasEnded = word === '--';
      flag = flagsOf(command).find(({ short, long }) => word === short || word === long);
      valueCount = 0;
      if (flag !== undefined) used.add(flag);
    } else if (flag?.required && (valueCount === 0 || flag.variadic)) {
      valueCount += 1;
    } else if (command.commands.length > 0) {
      const found = command.commands.find((each) => namesOf(each).includes(word));
      if (found === undefined) return NOTHING;
      if (word !== 'help') command = found; // after it come the words of the command to be explained
    }
  }
  if (flag?.required && valueCount === 0) return offerValues(flag);
  const canRepeat = ({ variadic, parseArg }: Option) => variadic || parseArg !== undefined;
  const flags = flagsOf(command).filter((each) => canRepeat(each) || !used.has(each));
  if (last.startsWith('-') && !hasEnded) return offerFlags(flags);
  if (flag?.variadic) return offerPaths(flag);
  if (command.commands.length > 0) return offerCommands(command);
  const [argument] = command.registeredArguments;
  if (argument !== undefined) return offerValues(argument);
  return last === '' ? offerFlags(flags) : NOTHING; // fish would also offer flags that have the word somewhere
}

function flagsOf(command: Command): Option[] {
  return command.createHelp().visibleOptions(command);
}

function offerFlags(flags: readonly Option[]): Offer {
  const words = flags.flatMap(({ short, long, description }) =>
    [short, long].flatMap((name) => (name === undefined ? [] : [[name, shortDescription(description)] as const])),
  );
  return { kind: 'words', words };
}

function offerCommands(command: Command): Offer {
  const commands = command.createHelp().visibleCommands(command);
  const words = commands.flatMap((each) =>
    namesOf(each).map((name) => [name, shortDescription(each.description())] as const),
  );
  return { kind: 'words', words };
}

function offerValues(of: Option | Argument): Offer {
  if (of.argChoices === undefined) return offerPaths(of);
  return { kind: /\bcomma/.test(of.description) ? 'list' : 'words', words: of.argChoices.map((word) => [word]) };
}

/** By the name in the help text: `<file>` is a file. */
function offerPaths(of: Option | Argument): Offer {
  const name = of instanceof Option ? of.flags.replace(/^[^<]*/, '') : of.name();
  if (/\b(files?|path)\b/.test(name)) return { kind: 'files', words: [] };
  return /\bfolder\b/.test(name) ? { kind: 'folders', words: [] } : NOTHING;
}

/** The first clause, without the variable and the default of a setting. */
function shortDescription(description: string): string {
  const text = description.replaceAll(/ \[TOPONYM_\w+\]| \(default: .*\)$/g, '').replaceAll('`', '');
  const [clause = ''] = text.split(/; |\. |: /);
  return clause.length <= MAX_DESCRIPTION
    ? clause.replace(/\.$/, '')
    : `${clause.slice(0, MAX_DESCRIPTION - 1).trimEnd()}…`;
}
