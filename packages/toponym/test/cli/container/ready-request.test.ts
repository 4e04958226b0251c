import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readyRequests, serveFlags } from '../../../src/cli/container/ready-request.ts';

const SETTINGS = {
  host: '0.0.0.0',
  port: 8443,
  behindProxy: false,
  tlsClientCa: undefined,
  metricsHost: '127.0.0.1',
  metricsPort: undefined,
} as const;

test('a service is asked on loopback, at its address or socket, or at the listener of its metrics', () => {
  const tls = { protocol: 'https:', path: '/readyz', rejectUnauthorized: false };
  const metrics = { protocol: 'http:', path: '/readyz', host: '127.0.0.1', port: 9090 };
  for (const [changes, ...requests] of [
    [{}, { ...tls, host: '127.0.0.1', port: 8443 }],
    [{ host: '::' }, { ...tls, host: '::1', port: 8443 }, { ...tls, host: '127.0.0.1', port: 8443 }],
    [{ host: '10.0.0.5' }, { ...tls, host: '10.0.0.5', port: 8443 }],
    [
      { host: 'unix:/run/a.sock', behindProxy: true },
      { ...tls, protocol: 'http:', socketPath: '/run/a.sock' },
    ],
    [{ metricsHost: '0.0.0.0', metricsPort: 9090 }, metrics],
    [{ metricsPort: 9090, tlsClientCa: 'clients.pem' }, metrics],
  ] as const) {
    assert.deepEqual(readyRequests({ ...SETTINGS, ...changes }), requests);
  }
  assert.throws(
    () => readyRequests({ ...SETTINGS, tlsClientCa: 'clients.pem' }),
    /the health check has no client certificate, and --tls-client-ca asks for one\. Set TOPONYM_METRICS_PORT/,
  );
  assert.throws(() => readyRequests({ ...SETTINGS, port: 0 }), /needs a fixed port, got 0\. Set TOPONYM_PORT\./);
});

test('the flags of a running service are read from its command line, also after those of an init program', () => {
  for (const [line, flags] of [
    ['node /app/bin/toponym.js serve --port 9000 --host=:: --json ', { port: '9000', host: '::' }],
    ['/sbin/docker-init -- toponym serve --behind-proxy ', { behindProxy: true }],
    ['/sbin/init --port 9000 ', {}],
    ['', {}],
  ] as const) {
    assert.deepEqual(serveFlags(line.replaceAll(' ', '\0')), flags);
  }
});
