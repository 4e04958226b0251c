/** An index, overlay or certificate that is broken, while the service runs and when it starts. */
import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { Agent } from 'node:https';
import { join } from 'node:path';
import { ensureCertificate } from 'toponym-server/serve/tls/certificate';
import { writeVersion } from '../../test/support/index-version.ts';
import { untilNoNotice, untilNotice } from '../../test/support/readiness.ts';
import type { RunningService } from '../../test/support/running-service.ts';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import { behaves, type Check, exactly, problemOf } from '../checks.ts';
import { SteadyLoad } from '../http/steady-load.ts';
import type { FaultRun, Scenario } from '../scenario.ts';
import { createKey, runCommand, startService } from '../service.ts';

const GARBAGE = Buffer.from('this is not what the file should be\n');

export const brokenFiles: Scenario = {
  name: 'broken-files',
  promise: 'A broken index, overlay or certificate never replaces a good one, and a start with one is refused by name.',
  run: runBroken,
};

interface Files {
  readonly index: string;
  readonly overlay: string;
  readonly cert: string;
  readonly key: string;
}

interface Break {
  readonly title: string;
  readonly file: keyof Files;
  /** Changes the file's content; undefined removes the file. */
  readonly change: (good: Buffer) => Buffer | undefined;
  /** The notice of /readyz. */
  readonly notice: RegExp;
}

const BREAKS: Record<FaultRun['scale'], readonly Break[]> = {
  full: [
    { title: 'index cut off', file: 'index', change: (good) => good.subarray(0, good.length >> 1), notice: /index/ },
    { title: 'index with one changed byte', file: 'index', change: flipByte, notice: /index/ },
    { title: 'index empty', file: 'index', change: () => Buffer.alloc(0), notice: /index/ },
    { title: 'index removed', file: 'index', change: () => undefined, notice: /index/ },
    { title: 'overlay that is not NDJSON', file: 'overlay', change: () => GARBAGE, notice: /overlay/ },
    { title: 'certificate cut off', file: 'cert', change: (good) => good.subarray(0, 200), notice: /certificate/ },
    { title: 'certificate replaced by garbage', file: 'cert', change: () => GARBAGE, notice: /certificate/ },
    { title: 'private key replaced by garbage', file: 'key', change: () => GARBAGE, notice: /certificate/ },
  ],
  short: [
    { title: 'index with one changed byte', file: 'index', change: flipByte, notice: /index/ },
    { title: 'certificate replaced by garbage', file: 'cert', change: () => GARBAGE, notice: /certificate/ },
  ],
};

async function runBroken(run: FaultRun): Promise<readonly Check[]> {
  const files = await writeFiles(run);
  const args = [
    '--overlay',
    files.overlay,
    '--tls-cert',
    files.cert,
    '--tls-key',
    files.key,
    '--watch-seconds',
    '0',
    '--log-level',
    'warn',
  ];
  const service = callOverOneConnection(run, await startService(run, { index: files.index, args }));
  // where the test client looks for the certificate to trust
  mkdirSync(join(service.state, 'tls'), { recursive: true });
  copyFileSync(files.cert, join(service.state, 'tls', 'cert.pem'));
  const { key } = await createKey(run, service);
  const load = new SteadyLoad(service, key, run.scale);
  run.after(() => load.stop());
  const checks: Check[] = [];
  for (const broken of BREAKS[run.scale]) {
    run.print(broken.title);
    const problem = await problemOf(() => breakAndRepair(run, { service, key, files }, broken));
    checks.push(
      behaves(broken.title, 'the old one is served, /readyz has a notice, a start is refused by name', problem),
    );
  }
  await load.stop();
  checks.push(exactly('calls that failed meanwhile', load.failures, 0));
  return checks;
}

/** The many looks at /readyz then cost little, and leave the processor to the reload. */
function callOverOneConnection(run: FaultRun, service: RunningService): RunningService {
  const agent = new Agent({ keepAlive: true });
  run.after(() => agent.destroy());
  return { ...service, call: (path, call) => service.call(path, { agent, ...call }) };
}

async function writeFiles(run: FaultRun): Promise<Files> {
  const folder = temporaryFolder(run);
  const index = join(folder, 'data.toponym');
  const overlay = join(folder, 'overlay.ndjson');
  await writeVersion(index, 'good', ['Paris', 'London', 'Berlin']);
  writeFileSync(overlay, '');
  const { certPath: cert, keyPath: key } = await ensureCertificate(folder, new Date());
  return { index, overlay, cert, key };
}

interface Served {
  readonly service: RunningService;
  readonly key: string;
  readonly files: Files;
}

async function breakAndRepair(run: FaultRun, { service, key, files }: Served, broken: Break): Promise<void> {
  const path = files[broken.file];
  const good = readFileSync(path);
  const bad = broken.change(good);
  if (bad === undefined) rmSync(path);
  else replace(path, bad);
  service.child.kill('SIGHUP');
  try {
    await untilNotice(service, broken.notice);
    const response = await service.call('/api/1/query', { form: { query: 'par' }, key });
    assert.equal(response.status, 200, `a call got ${response.status}`);
    assert.match(response.json().dataset.version, /^good/, 'other data is served');
    await assertStartIsRefused(run, files, path);
  } finally {
    replace(path, good);
  }
  service.child.kill('SIGHUP');
  await untilNoNotice(service);
}

async function assertStartIsRefused(run: FaultRun, files: Files, path: string): Promise<void> {
  const settings = [
    '--index',
    files.index,
    '--overlay',
    files.overlay,
    '--tls-cert',
    files.cert,
    '--tls-key',
    files.key,
  ];
  const args = ['serve', '--port', '0', '--ip-database', 'none', '--state', temporaryFolder(run), ...settings];
  const { code, stderr } = await runCommand(run, args);
  assert.ok(code === 1 || code === 2, `a start exited with ${code}`);
  assert.ok(stderr.includes(path), `the message of the start does not name ${path}: ${stderr}`);
}

function replace(path: string, content: Buffer): void {
  writeFileSync(`${path}.new`, content);
  renameSync(`${path}.new`, path);
}

function flipByte(good: Buffer): Buffer {
  const bad = Buffer.from(good);
  const middle = bad.length >> 1;
  bad.writeUInt8(bad.readUInt8(middle) ^ 0xff, middle);
  return bad;
}
