/** Executes docs/guides/https.md with mkcert, certbot and Caddy. Pebble stands for Let's Encrypt. */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { get } from 'node:https';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { ensureCertificate } from 'toponym-server/serve/tls/certificate';
import { builtIndex } from '../support/built-index.ts';
import { waitUntil } from '../support/deadline.ts';
import { freePort } from '../support/free-port.ts';
import { outsideProgram, skipWithout } from '../support/outside-programs.ts';
import { freshClone } from './fresh-clone.ts';
import { runPage } from './run-page.ts';
import { shellBlocks } from './shell-blocks.ts';

const ROOT = new URL('../../', import.meta.url);
const pebble = outsideProgram('pebble');
const caddy = outsideProgram('caddy');
const skip = skipWithout(outsideProgram('mkcert'), outsideProgram('certbot'), caddy, pebble, outsideProgram('curl'));

test('every command of docs/guides/https.md works', { skip }, async (t) => {
  await builtIndex();
  const folder = await freshClone(t);
  const [port, servicePort, platformPort, httpPort, adminPort] = await Promise.all(Array.from({ length: 5 }, freePort));
  const authority = await startAuthority(t, folder);
  mkdirSync(join(folder, 'config', 'letsencrypt'), { recursive: true });
  writeFileSync(
    join(folder, 'config', 'letsencrypt', 'cli.ini'),
    `config-dir = ${folder}/le\nwork-dir = ${folder}/le\nlogs-dir = ${folder}/le\nserver = ${authority.url}\n` +
      `http-01-port = ${httpPort}\nhttp-01-address = 127.0.0.1\nnon-interactive = true\n`,
  );
  const caddyOptions = [
    `auto_https disable_redirects\\nadmin 127.0.0.1:${adminPort}\\nhttps_port ${port}\\nhttp_port ${httpPort}`,
    `acme_ca ${authority.url}\\nacme_ca_root ${authority.certificate}\\nskip_install_trust`,
  ].join('\\n');
  t.after(() => spawnSync(caddy.path, ['stop', '--address', `127.0.0.1:${adminPort}`]));
  const blocks = shellBlocks(readFileSync(new URL('docs/guides/https.md', ROOT), 'utf8'));
  // the proxy of the platform is at a loopback address here
  const platformCall = 'curl -H "X-Forwarded-For: 192.0.2.1" "http://127.0.0.1:$PORT/readyz"\n';
  const { code, errors, outputs } = await runPage([...blocks, { line: 0, code: platformCall, output: undefined }], {
    folder,
    port: port ?? 0,
    addresses: {
      'curl https://127': `curl --cacert ${folder}/ca/rootCA.pem https://127`,
      'curl https://places': `curl --retry 30 --retry-delay 1 --retry-all-errors --cacert ${authority.root} --connect-to ::127.0.0.1:${port} https://places`,
      '--host 0.0.0.0 --port 443': '',
      '/etc/letsencrypt': `${folder}/le`,
      'cp deploy/proxies/Caddyfile .': `sed -e 's|auto_https disable_redirects|${caddyOptions}|' -e 's|^places.*|&\\nbind 127.0.0.1|' -e 's|:8080|:${servicePort}|' deploy/proxies/Caddyfile > Caddyfile`,
      'caddy start': 'caddy start 2>caddy.log',
      'caddy stop': `caddy stop --address 127.0.0.1:${adminPort}`,
      '8080': String(servicePort),
      '10.0.0.0/8': '127.0.0.0/8',
    },
    env: {
      CAROOT: join(folder, 'ca'),
      TRUST_STORES: 'none', // mkcert leaves the authorities of this machine alone
      REQUESTS_CA_BUNDLE: authority.certificate,
      XDG_CONFIG_HOME: join(folder, 'config'),
      XDG_DATA_HOME: join(folder, 'data'),
      PORT: String(platformPort),
    },
  });
  assert.equal(code, 0, errors);
  const ready = outputs.map((output) => output.match(/"status":"ready"/g)?.length ?? 0);
  assert.deepEqual(ready, [1, 1, 1, 0, 1]);
});

/** Starts an ACME authority that grants every name. */
async function startAuthority(t: TestContext, folder: string) {
  const own = join(folder, 'authority');
  mkdirSync(own, { mode: 0o700 });
  const { certPath: certificate, keyPath: privateKey } = await ensureCertificate(own, new Date());
  const [port, managementPort] = await Promise.all([freePort(), freePort()]);
  const config = {
    ...{ certificate, privateKey, httpPort: port, tlsPort: port },
    listenAddress: `127.0.0.1:${port}`,
    managementListenAddress: `127.0.0.1:${managementPort}`,
  };
  writeFileSync(join(own, 'pebble.json'), JSON.stringify({ pebble: config }));
  const child = spawn(pebble.path, ['-config', join(own, 'pebble.json')], {
    stdio: 'ignore',
    env: { ...process.env, PEBBLE_VA_ALWAYS_VALID: '1', PEBBLE_VA_NOSLEEP: '1' },
  });
  t.after(() => child.kill('SIGKILL'));
  const root = join(own, 'root.pem');
  const fetchRoot = () =>
    new Promise<string | undefined>((resolve) => {
      const url = `https://localhost:${managementPort}/roots/0`;
      get(url, { ca: readFileSync(certificate), agent: false }, async (response) => resolve(await text(response))).on(
        'error',
        () => resolve(undefined),
      );
    });
  await waitUntil('the authority is ready', async () => {
    const received = await fetchRoot();
    if (received !== undefined) writeFileSync(root, received);
    return received !== undefined;
  });
  return { url: `https://localhost:${port}/dir`, certificate, root };
}
