import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pino } from 'pino';
import { generate } from 'selfsigned';
import { openStateFolder } from '../../../src/serve/state/state-folder.ts';
import { loadServiceCertificate } from '../../../src/serve/tls/service-certificate.ts';
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
