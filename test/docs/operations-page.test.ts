import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { flagOf, SETTINGS, variableOf } from '../../src/cli/settings/settings.ts';

const page = readFileSync(new URL('../../docs/operations.md', import.meta.url), 'utf8');

test('the table of settings in docs/operations.md has exactly the settings there are', () => {
  const documented = [...page.matchAll(/^\| `(--[a-z-]+)` \| `(TOPONYM_[A-Z_]+)` \| `(\w+)` \| /gm)].map((row) =>
    row.slice(1),
  );
  const expected = Object.keys(SETTINGS).map((key) => [flagOf(key), variableOf(key), key]);
  assert.deepEqual(documented, expected);
});

test('the defaults in docs/operations.md are those of the program', () => {
  for (const [key, setting] of Object.entries(SETTINGS)) {
    if (setting.fallback === undefined || 'fallbackText' in setting) continue;
    assert.ok(page.includes(`| \`${key}\` | \`${setting.fallback}\` |`), key);
  }
});
