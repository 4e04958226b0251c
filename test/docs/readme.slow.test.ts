import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { embeddedParts } from 'toponym-engine/index-file/data-age';
import { openIndex } from 'toponym-engine/index-file/open-index';
import { readIndexFile } from 'toponym-files/index-file';
import { releaseHeap } from 'toponym-files/release-heap';
import { builtIndex } from '../support/built-index.ts';
import { runCommand } from '../support/command.ts';

const page = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');

/** Checks that the first place printed has the name, region and country that the page states. */
async function assertFinds(words: readonly string[], expected: string): Promise<void> {
  const args = [...words, '--json', '--index', await builtIndex()];
  const { stdout, stderr, code } = await runCommand(args);
  releaseHeap('regular'); // or the indexes of all commands would fill gigabytes
  assert.equal(code, 0, stderr);
  const response = JSON.parse(stdout);
  const { name, administrative, country } = response.hits?.[0] ?? response;
  const [place, ...regions] = expected.split(', ');
  assert.equal(name, place, words.join(' '));
  for (const region of regions) assert.ok([...administrative, country].includes(region), `${expected}: ${region}`);
}

for (const [name, count] of [
  ['README.md', 11],
  ['docs/ranking.md', 11],
] as const) {
  test(`query, reverse and get in ${name} find the places in their comments`, async () => {
    const text = readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8');
    const lines = [...text.matchAll(/^npx toponym ((?:query|reverse|get) .*?) +# (\p{Lu}.*)$/gmu)];
    assert.equal(lines.length, count);
    for (const [, command = '', place = ''] of lines) await assertFinds(command.split(' '), place);
  });
}

test('the hit in README.md is the first one of its query', async () => {
  const [, query = '', json = ''] = /^The first hit of `query='(.*)'`:\n\n```json\n(.*?)```$/ms.exec(page) ?? [];
  const args = ['query', query, '--json', '--index', await builtIndex()];
  const { stdout } = await runCommand(args);
  assert.deepEqual(JSON.parse(stdout).hits[0], JSON.parse(json));
});

test('README.md states the number of places and both dates of the data', async () => {
  const { version, places } = openIndex(readIndexFile(await builtIndex())).metadata;
  assert.ok(page.includes(`${places.toLocaleString('en')} places`), `${places} places`);
  const parts = embeddedParts(version, new Date()) ?? [];
  const dates = parts.map((part) => / of (.*) \(/.exec(part)?.[1] ?? '');
  assert.equal(dates.length, 2, version);
  for (const date of dates) assert.ok(page.includes(` of ${date}`), date);
});
