import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import * as timeouts from '../../src/http/timeouts.ts';

const page = readFileSync(new URL('../../docs/reliability.md', import.meta.url), 'utf8');

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
