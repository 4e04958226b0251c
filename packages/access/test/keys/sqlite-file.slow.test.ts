import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { temporaryFolder } from '../../../../test/support/temporary-folder.ts';

const MODULE = new URL('../../src/keys/sqlite-keys.ts', import.meta.url).href;
/** Runs a command as process 1, like the first process of a container. */
const CONTAINER = ['--pid', '--fork', '--kill-child'];
const skip = spawnSync('unshare', [...CONTAINER, 'true']).status === 0 ? false : 'needs unshare and root';
const STORES = 20;

/** Creates one store after the other, each at the same moment as the other process. */
function creator(folder: string, [own, other]: readonly [string, string]): string {
  return `import { existsSync, writeFileSync } from 'node:fs';
    import { openSqliteKeys } from ${JSON.stringify(MODULE)};
    if (process.pid !== 1) throw new Error('not process 1');
    for (let i = 0; i < ${STORES}; i++) {
      const store = ${JSON.stringify(folder)} + '/' + i;
      writeFileSync(store + '.${own}', '');
      while (!existsSync(store + '.${other}'));
      const keys = openSqliteKeys(store);
      keys.create({ label: '${own}' }, 0);
      keys.verify();
      keys.close();
    }`;
}

test('first processes of two containers can create a key store in one folder at once', { skip }, async (t) => {
  const folder = temporaryFolder(t);
  const run = async (names: readonly [string, string]) => {
    const script = creator(folder, names);
    const child = spawn('unshare', [...CONTAINER, process.execPath, '--input-type=module', '--eval', script], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    t.after(() => child.kill('SIGKILL'));
    const [errors, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
    if (code !== 0) throw new Error(errors);
  };
  await Promise.all([run(['a', 'b']), run(['b', 'a'])]);
});
