import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pino } from 'pino';
import { generate } from 'selfsigned';
import { UsageError } from '../../../src/errors/errors.ts';
import { openStateFolder } from '../../../src/serve/state/state-folder.ts';
import { loadClientAuthorities, loadServiceCertificate } from '../../../src/serve/tls/service-certificate.ts';
import { createAuthority } from '../../support/certificate-authority.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const DAY_MS = 86_400_000;

for (const [days, warning] of [
  [-1, 'the certificate has expired'],
  [13, 'the certificate expires soon'],
  [15, undefined],
] as const) {
  test(`a certificate that is loaded with ${days} days left: ${warning ?? 'no warning'}`, async (context) => {
    const folder = temporaryFolder(context);
    const [tlsCert, tlsKey] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
    const made = await generate([{ name: 'commonName', value: 'localhost' }], {
      keyType: 'ec',
      notBeforeDate: new Date(Date.now() - 30 * DAY_MS),
      notAfterDate: new Date(Date.now() + days * DAY_MS),
    });
    writeFileSync(tlsCert, made.cert);
    writeFileSync(tlsKey, made.private);
    const warnings: string[] = [];
    const log = pino({ level: 'warn' }, { write: (line: string) => void warnings.push(JSON.parse(line).msg) });
    const state = openStateFolder(join(folder, 'state'));
    await loadServiceCertificate({ tlsCert, tlsKey, tlsClientCa: undefined, behindProxy: false, state }, log);
    assert.deepEqual(warnings, warning === undefined ? [] : [warning]);
  });
}

const [one, two] = [await createAuthority('One'), await createAuthority('Two')];
const client = await one.clientPair();

test('a file may hold several authorities, with text between them', (context) => {
  const path = join(temporaryFolder(context), 'ca.pem');
  const text = `# One\n${one.cert}\n\n# Two\n${two.cert}\n`;
  writeFileSync(path, text);
  assert.equal(loadClientAuthorities(path).pem, text);
});

for (const [what, text, message] of [
  ['an empty file', '', / does not hold a certificate in PEM form\.$/],
  ['a key', client.key, / does not hold a certificate in PEM form\.$/],
  ['a certificate that was cut off', one.cert.slice(0, -60), /, certificate 1: not valid in PEM form \(/],
  [
    'a damaged second certificate',
    `${one.cert}\n${two.cert.slice(0, -60)}`,
    /, certificate 2: not valid in PEM form \(/,
  ],
  [
    'the certificate of a client',
    `${one.cert}\n${client.cert}`,
    /, certificate 2 \(CN=a client\) is not the certificate of an authority\. Give the certificate that signs those of the clients\.$/,
  ],
] as const) {
  test(`${what} is refused by name`, (context) => {
    const path = join(temporaryFolder(context), 'ca.pem');
    writeFileSync(path, text);
    assert.throws(
      () => loadClientAuthorities(path),
      (error) => error instanceof UsageError && error.message.startsWith(path) && message.test(error.message),
    );
  });
}

test('a missing file is refused by name', () => {
  assert.throws(
    () => loadClientAuthorities('/nothing/ca.pem'),
    /^Error: The TLS client authorities \/nothing\/ca\.pem cannot be read: |^UsageError: The TLS client authorities/,
  );
});
