import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import * as timeouts from '../../src/http/timeouts.ts';

const root = new URL('../../', import.meta.url);
const page = readFileSync(new URL('docs/reliability.md', root), 'utf8');

test('docs/reliability.md lists the time limits of the program', () => {
  const section = page.slice(page.indexOf('## Time limits'), page.indexOf('## Clients'));
  const seconds = [...section.matchAll(/^\|[^|]+\| (\d+) \|/gm)].map(([, figure]) => Number(figure));
  const { PROXY_HEADER_TIMEOUT_MS, HANDSHAKE_TIMEOUT_MS, REQUEST_TIMEOUT_MS, WRITE_TIMEOUT_MS } = timeouts;
  const { IDLE_TIMEOUT_MS, LINGER_MS, METRICS_REQUEST_TIMEOUT_MS } = timeouts;
  const expected = [
    PROXY_HEADER_TIMEOUT_MS,
    HANDSHAKE_TIMEOUT_MS,
    HANDSHAKE_TIMEOUT_MS,
    REQUEST_TIMEOUT_MS,
    WRITE_TIMEOUT_MS,
    IDLE_TIMEOUT_MS,
    LINGER_MS,
    METRICS_REQUEST_TIMEOUT_MS,
  ];
  assert.deepEqual(
    seconds,
    expected.map((ms) => ms / 1000),
  );
});

test('every promise in docs/reliability.md names existing tests', () => {
  const rows = page.slice(page.indexOf('## Clients')).match(/^\| (?!---|what (?:a client does|happens) ).+$/gm) ?? [];
  assert.ok(rows.length > 5);
  for (const row of rows) {
    const files = [...row.matchAll(/`(test\/[\w/.-]+\.test\.ts)`/g)].map(([, file]) => file);
    assert.ok(files.length > 0, row);
    for (const file of files) assert.ok(existsSync(new URL(file ?? '', root)), file);
  }
});

test('every relative link in docs/reliability.md leads to a file', () => {
  const links = [...page.matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, link]) => link ?? '');
  assert.ok(links.length > 2);
  for (const link of links) assert.ok(existsSync(new URL(link, new URL('docs/', root))), link);
});
