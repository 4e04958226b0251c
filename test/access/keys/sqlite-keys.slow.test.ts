import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { openSqliteKeys } from '../../../src/access/keys/sqlite-keys.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const MODULE = new URL('../../../src/access/keys/sqlite-keys.ts', import.meta.url).href;
const NOW = Date.UTC(2030, 0, 1);

test('a key revoked by another process is refused by the next lookup', (t) => {
  const file = join(temporaryFolder(t), 'keys.sqlite');
  const store = openSqliteKeys(file);
  t.after(() => store.close());
  const { record, key } = store.create({ label: 'x' }, NOW);
  const script = `import { openSqliteKeys } from ${JSON.stringify(MODULE)};
    const store = openSqliteKeys(${JSON.stringify(file)});
    store.revoke(${JSON.stringify(record.id)}, ${NOW + 7});
    store.close();`;
  execFileSync(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'ignore', 'pipe'] });
  assert.equal(store.find(key)?.revokedAt, NOW + 7);
});
