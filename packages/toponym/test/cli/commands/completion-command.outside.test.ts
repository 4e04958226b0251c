/** The completion scripts in the real shells. */
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { runCommand } from '../../../../../test/support/command.ts';
import { outsideProgram } from '../../../../../test/support/outside-programs.ts';
import { temporaryFolder } from '../../../../../test/support/temporary-folder.ts';
import { bashCompletions, fishCompletions, zshCompletions } from './shell-completions.ts';

const folder = temporaryFolder({ after: (cleanUp?: unknown) => after(cleanUp as () => void) });
const cwd = join(folder, 'work');
mkdirSync(join(cwd, 'data'), { recursive: true });
for (const name of ['data.toponym', 'data.txt', 'a b.toponym']) writeFileSync(join(cwd, name), '');

const [bash, zsh, fish] = await Promise.all(
  (['bash', 'zsh', 'fish'] as const).map(async (name) => {
    const { path: shell, skip } = outsideProgram(name);
    const { stdout, code } = await runCommand(['completion', name]);
    assert.equal(code, 0);
    const script = join(folder, `toponym.${name}`);
    writeFileSync(script, stdout);
    const ask = { bash: bashCompletions, zsh: zshCompletions, fish: fishCompletions }[name];
    /** `line`: the words before the cursor. A space at its end begins a new word. */
    const complete = (line: string) =>
      ask({ shell, script, words: line.split(' '), cwd })
        .map((word) => word.replaceAll('\\', '').replace(/\/$/, ''))
        .sort();
    return { name, skip, complete };
  }),
);
assert.ok(bash && zsh && fish);

/** Words of the line, and what completes the last one. complete-command.test.ts has more that need no shell. */
const CASES: readonly (readonly [string, readonly string[]])[] = [
  ['toponym qu', ['query']],
  ['toponym keys c', ['copy', 'create']],
  ['toponym keys copy --from ', ['redis', 'redis-copy', 'sqlite']],
  ['toponym help re', ['reverse']],
  ['toponym reverse --mo', ['--mode']],
  ['toponym demo --no', ['--no-color', '--no-open']],
  ['toponym reverse 1,1 --mode ', ['containing', 'nearest']],
  ['toponym reverse 1,1 --mode=', ['containing', 'nearest']],
  ['toponym reverse 1,1 --mode=n', ['nearest']],
  ['toponym query paris --type su', ['suburban area']],
  ['toponym query paris --type city,to', ['city,town']],
  ['toponym query paris --type=city,to', ['city,town']],
  ['toponym update --set cities1', ['cities1000', 'cities15000']],
  // files, only where a file belongs
  ['toponym inspect data.', ['data.toponym', 'data.txt']],
  ['toponym inspect a', ['a b.toponym']],
  ['toponym query --index data.to', ['data.toponym']],
  ['toponym query --index=data.to', ['data.toponym']],
  ['toponym build --from n', ['ndjson']],
  ['toponym build --from osm data.toponym data.tx', ['data.txt']],
  ['toponym serve --state da', ['data']],
  ['toponym serve --state=da', ['data']],
  ['toponym query data', []],
  ['toponym serve data', []],
  ['toponym keys create --label data', []],
  ['toponym reverse --json data', []],
  ['toponym nonsense qu', []],
];

for (const { name, skip, complete } of [bash, zsh, fish]) {
  test(`${name} completes commands, flags, fixed values and files`, { skip }, () => {
    for (const [line, expected] of CASES) {
      // bash divides the word at the equals sign; the other shells complete the whole word
      const asked = name === 'bash' ? line.replace(/=(.*)/, (_, value) => (value ? ` = ${value}` : ' =')) : line;
      const found = complete(asked).map((word) => word.replace(/^--\w+=/, ''));
      assert.deepEqual(found, expected, `${name}: ${line}`);
    }
  });
}

/** The flags in the help text of a command. */
async function flagsInHelp(command: readonly string[]): Promise<string[]> {
  const { stdout } = await runCommand([...command, '--help']);
  return [...stdout.matchAll(/^ {2}(?:-\w, )?(--[\w-]+)/gm)].map(([, flag = '']) => flag).sort();
}

test('the shells complete the flags of the help text of query', async () => {
  const flags = await flagsInHelp(['query']);
  for (const { name, skip, complete } of [bash, zsh, fish]) {
    if (skip === false) assert.deepEqual(complete('toponym query --'), flags, name);
  }
});
