import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { GENERATED_PAGES, withTables } from '../../scripts/docs.ts';

for (const page of GENERATED_PAGES) {
  test(`the tables of options in docs/${page.pathname.split('/').at(-1)} are those that npm run docs writes`, () => {
    const text = readFileSync(page, 'utf8');
    assert.match(text, /: written by npm run docs -->\n\n\|/);
    assert.equal(text, withTables(text));
  });
}
