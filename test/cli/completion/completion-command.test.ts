import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FIXED_LISTS } from '../../../src/cli/completion/completed-command.ts';
import { runCommand } from '../../support/command.ts';

test('every fixed list is the one that the command itself accepts', async () => {
  const commands: Readonly<Record<string, readonly string[]>> = {
    '--type': ['query', 'x', '--type', 'nonsense'],
    '--mode': ['reverse', '1,1', '--mode', 'nonsense'],
    '--typo-tolerance': ['query', 'x', '--typo-tolerance', 'nonsense'],
    '--log-level': ['serve', '--log-level', 'nonsense'],
    '--redis-mode': ['serve', '--redis-mode', 'nonsense'],
    '--set': ['update', '--set', 'nonsense'],
    'build --from': ['build', '--from', 'nonsense', 'x', '--out', 'y'],
    'update --from': ['update', '--from', 'nonsense'],
    'keys copy --from': ['keys', 'copy', '--from', 'nonsense', '--to', 'redis'],
    'keys copy --to': ['keys', 'copy', '--from', 'redis', '--to', 'nonsense'],
    'completion <shell>': ['completion', 'nonsense'],
  };
  assert.deepEqual(
    Object.keys(commands),
    FIXED_LISTS.map(({ where }) => where),
  );
  for (const { where, values } of FIXED_LISTS) {
    const { stderr, code } = await runCommand(commands[where] ?? []);
    assert.equal(code, 2, where);
    for (const value of values) assert.ok(stderr.includes(value), `${where}: ${value} is not in ${stderr}`);
  }
});

test('completion refuses an unknown shell, and --json has the script', async () => {
  const { stderr, code } = await runCommand(['completion', 'tcsh']);
  assert.deepEqual([code, stderr], [2, 'toponym: shell: must be one of bash, zsh, fish, got "tcsh".\n']);
  const json = JSON.parse((await runCommand(['completion', 'bash', '--json'])).stdout);
  const plain = await runCommand(['completion', 'bash']);
  assert.deepEqual(json, { shell: 'bash', script: plain.stdout });
});
