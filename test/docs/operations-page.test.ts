import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { flagFor, SETTINGS, variableFor } from '../../src/cli/settings/settings.ts';

const page = readFileSync(new URL('../../docs/operations.md', import.meta.url), 'utf8');

test('the table in docs/operations.md lists exactly the settings of the program', () => {
  const rows = page.matchAll(/^\| (?:`(--[a-z-]+)` )?\| `(TOPONYM_[A-Z_]+)` \| `(\w+)` \| /gm);
  const documented = [...rows].map((row) => row.slice(1));
  const expected = Object.entries(SETTINGS).map(([key, setting]) => {
    const flag = 'isSecret' in setting ? undefined : flagFor(key);
    return [flag, variableFor(key), key];
  });
  assert.deepEqual(documented, expected);
});

test('the defaults in docs/operations.md are those of the program', () => {
  for (const [key, setting] of Object.entries(SETTINGS)) {
    if (!('defaultText' in setting) || 'defaultDescription' in setting) continue;
    assert.ok(page.includes(`| \`${key}\` | \`${setting.defaultText}\` |`), key);
  }
});
