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
const TLS = { protocol: 'https:', path: '/readyz', rejectUnauthorized: false };

test('a service on all addresses is asked on loopback', () => {
  assert.deepEqual(readyRequests(SETTINGS), [{ ...TLS, host: '127.0.0.1', port: 8443 }]);
  assert.deepEqual(readyRequests({ ...SETTINGS, host: '::' }), [
    { ...TLS, host: '::1', port: 8443 },
    { ...TLS, host: '127.0.0.1', port: 8443 },
  ]);
});

test('a service on one address or on a Unix socket is asked there', () => {
  assert.deepEqual(readyRequests({ ...SETTINGS, host: '10.0.0.5' }), [{ ...TLS, host: '10.0.0.5', port: 8443 }]);
  assert.deepEqual(readyRequests({ ...SETTINGS, host: 'unix:/run/a.sock', behindProxy: true }), [
    { ...TLS, protocol: 'http:', socketPath: '/run/a.sock' },
  ]);
});

test('a service with metrics is asked at their listener', () => {
  assert.deepEqual(readyRequests({ ...SETTINGS, metricsHost: '0.0.0.0', metricsPort: 9090 }), [
    { protocol: 'http:', path: '/readyz', host: '127.0.0.1', port: 9090 },
  ]);
});

test('a service that asks for client certificates is asked at its metrics listener only', () => {
  const settings = { ...SETTINGS, tlsClientCa: 'clients.pem' };
  assert.throws(
    () => readyRequests(settings),
    /the health check has no client certificate, and --tls-client-ca asks for one\. Set TOPONYM_METRICS_PORT/,
  );
  assert.equal(readyRequests({ ...settings, metricsPort: 9090 })[0]?.port, 9090);
});

test('a port that the system picks is refused', () => {
  assert.throws(
    () => readyRequests({ ...SETTINGS, port: 0 }),
    /the health check needs a fixed port, got 0\. Set TOPONYM_PORT\./,
  );
});

function commandLine(...words: string[]): string {
  return words.map((word) => `${word}\0`).join('');
}

test('the flags of a running service are read from its command line', () => {
  const flags = serveFlags(
    commandLine('node', '/app/bin/toponym.js', 'serve', '--port', '9000', '--host=::', '--json'),
  );
  assert.deepEqual(flags, { port: '9000', host: '::' });
});

test('the words of an init program before the command do not matter', () => {
  const flags = serveFlags(commandLine('/sbin/docker-init', '--', 'toponym', 'serve', '--behind-proxy'));
  assert.deepEqual(flags, { behindProxy: true });
});

test('another program has no flags of a service', () => {
  assert.deepEqual(serveFlags(commandLine('/sbin/init', '--port', '9000')), {});
  assert.deepEqual(serveFlags(''), {});
});
