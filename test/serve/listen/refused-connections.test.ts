import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pino } from 'pino';
import { RefusedConnections } from '../../../src/serve/listen/refused-connections.ts';

test('all refused connections are counted, and each reason is logged at most once a minute', () => {
  const lines: Record<string, unknown>[] = [];
  const refused = new RefusedConnections(pino({}, { write: (line) => void lines.push(JSON.parse(line)) }));
  for (let i = 0; i < 1000; i++) refused.add('untrusted_peer', `192.0.2.${i % 256}`, { nowMs: i });
  refused.add('bad_proxy_header', '127.0.0.1', { nowMs: 1000 });
  refused.add('untrusted_peer', '192.0.2.1', { nowMs: 60_000 });
  refused.add('bad_client_certificate', '192.0.2.2', { nowMs: 60_001, detail: 'CERT_HAS_EXPIRED' });
  assert.deepEqual(refused.counts, {
    untrusted_peer: 1001,
    bad_proxy_header: 1,
    slow_proxy_header: 0,
    no_client_certificate: 0,
    bad_client_certificate: 1,
    too_many_connections: 0,
    too_many_of_address: 0,
  });
  assert.deepEqual(
    lines.map(({ peer, refusedSoFar, detail }) => [peer, refusedSoFar, detail]),
    [
      ['192.0.2.0', 1, undefined],
      ['127.0.0.1', 1, undefined],
      ['192.0.2.1', 1001, undefined],
      ['192.0.2.2', 1, 'CERT_HAS_EXPIRED'],
    ],
  );
});
