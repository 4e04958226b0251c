/** A service that only clients with a certificate of certain authorities can call. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { type ConnectionOptions, connect } from 'node:tls';
import { createAuthority, type PemPair } from '../../../../test/support/certificate-authority.ts';
import { waitUntil } from '../../../../test/support/deadline.ts';
import { type RunningService, refusedStart, runSmallService } from '../../../../test/support/running-service.ts';
import { temporaryFolder } from '../../../../test/support/temporary-folder.ts';

const VERSIONS = ['TLSv1.2', 'TLSv1.3'] as const;

const [trusted, other] = [await createAuthority('Trusted'), await createAuthority('Other')];
const good = await trusted.clientPair();

async function aService(context: TestContext) {
  const caPath = join(temporaryFolder(context), 'clients.pem');
  writeFileSync(caPath, trusted.cert);
  const args = ['--watch-seconds', '1', '--metrics-port', '0', '--tls-client-ca', caPath];
  const service = await runSmallService(context, { args });
  const ca = readFileSync(join(service.state, 'tls', 'cert.pem'), 'utf8');
  const target = { host: '127.0.0.1', port: Number(new URL(service.ready.url).port), ca };
  return { service, target, caPath };
}

/** Status of a call, or the code of the error that ended its connection. */
async function call(target: ConnectionOptions, options: object, key = ''): Promise<number | string> {
  const headers = { 'x-service-key': key };
  const sent = request({ ...target, agent: false, ...options, method: 'POST', path: '/api/1/query', headers }).end();
  try {
    const [response] = await once(sent, 'response');
    await text(response);
    return response.statusCode;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? String(error);
  }
}

/** Refused connections by reason. */
async function refusals({ ready }: RunningService): Promise<Record<string, number>> {
  const metrics = await (await fetch(ready.metricsUrl ?? '')).text();
  const found = metrics.matchAll(/^toponym_refused_connections_total\{reason="(\w+_client_\w+)"\} (\d+)$/gm);
  return Object.fromEntries([...found].map(([, reason, count]) => [reason, Number(count)]));
}

/** TLS sessions that the service offers for resumption before it closes the connection. */
async function sessionsOf(options: ConnectionOptions): Promise<Buffer[]> {
  const sessions: Buffer[] = [];
  const socket = connect(options).on('session', (session) => sessions.push(session));
  socket.on('error', () => {});
  socket.end('GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n').resume();
  await new Promise((resolve) => socket.once('close', resolve));
  return sessions;
}

test('with --tls-client-ca', async (context) => {
  const { service, target, caPath } = await aService(context);
  await context.test(
    'only clients with a certificate of the authority can connect, and they still need a key',
    async () => {
      const bad: Record<string, PemPair> = {
        'of another authority': await other.clientPair(),
        expired: await trusted.clientPair({ notAfterDate: new Date(Date.now() - 86_400_000) }),
        'for servers': await trusted.serverPair(),
      };
      for (const version of VERSIONS) {
        const versions = { minVersion: version, maxVersion: version };
        assert.equal(await call(target, { ...versions, ...good }, service.key), 200);
        assert.equal(await call(target, { ...versions, ...good }), 401);
        const withoutCertificate = await call(target, versions, service.key);
        assert.match(
          String(withoutCertificate),
          /^(EPROTO|ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED|ECONNRESET|EPIPE)$/,
        );
        for (const [what, pair] of Object.entries(bad))
          assert.match(String(await call(target, { ...versions, ...pair }, service.key)), /^(ECONNRESET|EPIPE)$/, what);
      }
      await waitUntil('all refusals are counted', async () => (await refusals(service)).bad_client_certificate === 6);
      assert.equal((await refusals(service)).no_client_certificate, 2);
      await service.logged('refusedSoFar', 2);
      const lines = service
        .log()
        .split('\n')
        .filter((line) => line.includes('refusedSoFar'))
        .map((line) => JSON.parse(line));
      assert.deepEqual(
        lines.map(({ msg, peer, detail }) => [msg, peer, detail]),
        [
          ['a client without a certificate was refused', '127.0.0.1', undefined],
          [
            'a client was refused because its certificate does not pass --tls-client-ca',
            '127.0.0.1',
            'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
          ],
        ],
      );
      const metricsUrl = new URL(service.ready.metricsUrl ?? '');
      assert.equal((await fetch(new URL('/readyz', metricsUrl))).status, 200);
    },
  );

  await context.test('a client that is refused gets no TLS session to resume', async () => {
    const stranger = await other.clientPair();
    for (const version of VERSIONS) {
      const options = { ...target, minVersion: version, maxVersion: version };
      assert.ok((await sessionsOf({ ...options, ...good })).length > 0);
      assert.deepEqual(await sessionsOf({ ...options, ...stranger }), []);
    }
  });

  await context.test('changed authorities are used without a restart, and open connections go on', async () => {
    const stranger = await other.clientPair();
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    context.after(() => agent.destroy());
    const callKept = () => call(target, { ...good, agent }, service.key);
    assert.equal(await callKept(), 200);
    const [kept] = Object.values(agent.freeSockets).flat();
    assert.equal(typeof (await call(target, stranger, service.key)), 'string');
    const oldSessions = await sessionsOf({ ...target, ...good });
    assert.ok(oldSessions.length > 0);

    writeFileSync(caPath, `${trusted.cert}\n${other.cert}`);
    await service.logged('"msg":"certificate reloaded"');
    assert.equal(await call(target, stranger, service.key), 200);
    assert.equal(await call(target, good, service.key), 200);

    writeFileSync(caPath, other.cert);
    await service.logged('"msg":"certificate reloaded"', 2);
    assert.equal(await call(target, stranger, service.key), 200);
    assert.equal(typeof (await call(target, good, service.key)), 'string');
    for (const session of oldSessions)
      assert.equal(typeof (await call(target, { ...good, session }, service.key)), 'string');
    assert.equal(await callKept(), 200);
    assert.deepEqual(Object.values(agent.freeSockets).flat(), [kept]);

    writeFileSync(caPath, stranger.cert);
    await waitUntil('/readyz of the metrics listener shows a notice', async () => {
      const readiness = await fetch(new URL('/readyz', service.ready.metricsUrl));
      return ((await readiness.json()) as { notice?: string }).notice === 'certificate not reloaded; the log says why';
    });
    await service.logged('clients.pem, certificate 1 (CN=a client) is not the certificate of an authority');
    assert.equal(await call(target, stranger, service.key), 200);
  });
});

test('--tls-client-ca is refused behind a proxy, and with a file that holds no authorities', async (context) => {
  const folder = temporaryFolder(context);
  const path = join(folder, 'clients.pem');
  writeFileSync(path, good.cert);
  const start = (args: readonly string[]) =>
    refusedStart(['--json', '--state', join(folder, 'state'), '--tls-client-ca', path, ...args]);
  const behindProxy = await start(['--behind-proxy']);
  assert.equal(behindProxy.code, 2);
  assert.match(
    behindProxy.stderr,
    /--behind-proxy serves plain HTTP: it cannot be combined with --tls-client-ca\. Let the proxy/,
  );
  const noAuthority = await start([]);
  assert.equal(noAuthority.code, 2);
  assert.match(noAuthority.stderr, /certificate 1 \(CN=a client\) is not the certificate of an authority\. Give /);
});
