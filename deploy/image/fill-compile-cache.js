/**
 * Fills Node's compile cache while an image is built. Node.js writes the code that a process has
 * compiled when the process ends, so this script runs the service, calls it and stops it. Then it
 * runs the commands that people use most in a container.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const PROGRAM = '/app/bin/toponym.js';
const HEALTH_CHECK = '/app/dist/toponym/cli/container/health-check.js';
/** @type {readonly (readonly [path: string, form: string])[]} */
const CALLS = [
  ['/api/1/query', 'query=sprngfield il'],
  ['/api/1/query', 'query=48.85,2.35'],
  ['/api/1/reverse', 'aroundLatLng=48.85,2.35'],
  ['/api/1/id', 'objectID=G2988507'],
];

const state = mkdtempSync(join(tmpdir(), 'state-'));
const service = spawn(
  process.execPath,
  [PROGRAM, 'serve', '--json', '--host', '127.0.0.1', '--port', '0', '--state', state],
  {
    stdio: ['ignore', 'pipe', 'inherit'],
  },
);
const exit = once(service, 'exit');
const line = await Promise.race([once(createInterface({ input: service.stdout }), 'line'), exit.then(() => undefined)]);
if (line === undefined) throw new Error('the service has not started');
const { url } = JSON.parse(line[0]);
for (const [path, body] of CALLS) await call(new URL(path, url), body);
runNode([HEALTH_CHECK], { TOPONYM_HOST: '127.0.0.1', TOPONYM_PORT: new URL(url).port });
service.kill('SIGTERM');
const [code] = await exit;
if (code !== 0) throw new Error(`the service has ended with exit code ${code}`);

runNode([PROGRAM, 'query', 'paris']);
runNode([PROGRAM, 'keys', 'create', '--label', 'first', '--state', state]);
runNode([PROGRAM, 'keys', 'list', '--state', state]);
rmSync(state, { recursive: true });

/**
 * @param {URL} url
 * @param {string} form
 */
async function call(url, form) {
  const headers = {
    'content-type': 'application/x-www-form-urlencoded',
    'x-service-key': readFileSync(join(state, 'first-key.txt'), 'utf8').trim(),
  };
  const ca = readFileSync(join(state, 'tls', 'cert.pem'));
  const [response] = await once(request(url, { method: 'POST', headers, ca, agent: false }).end(form), 'response');
  response.resume();
  if (response.statusCode !== 200) throw new Error(`${url.pathname} answers ${response.statusCode}`);
}

/**
 * @param {string[]} args
 * @param {Record<string, string>} env
 */
function runNode(args, env = {}) {
  execFileSync(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, ...env } });
}
