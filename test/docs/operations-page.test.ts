import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { flagFor, SETTINGS, variableFor } from '../../src/cli/settings/settings.ts';

const page = readFileSync(new URL('../../docs/operations.md', import.meta.url), 'utf8');

test('the table in docs/operations.md lists exactly the settings of the program', () => {
  const section = page.slice(page.indexOf('## Settings'), page.indexOf('## The page'));
  const rows = section.matchAll(/^\| `(--[a-z-]+|TOPONYM_[A-Z_]+)` \| .* \| .* \|$/gm);
  const expected = Object.entries(SETTINGS).map(([key, setting]) =>
    'isSecret' in setting ? variableFor(key) : flagFor(key),
  );
  assert.deepEqual(
    Array.from(rows, ([, name]) => name),
    expected,
  );
});

test('the defaults in docs/operations.md are those of the program', () => {
  for (const [key, setting] of Object.entries(SETTINGS)) {
    if (!('defaultText' in setting) || 'defaultDescription' in setting) continue;
    assert.ok(page.includes(`| \`${flagFor(key)}\` | \`${setting.defaultText}\` |`), key);
  }
});
