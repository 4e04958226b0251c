/** Downloads of `toponym update` that break or bring something else. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Responder, servePlainHttp, status, wellServed } from '../../packages/gazetteer/test/fetch/file-server.ts';
import { writeZip } from '../../packages/gazetteer/test/sources/input/write-zip.ts';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import { behaves, type Check, problemOf } from '../checks.ts';
import type { FaultRun, Scenario } from '../scenario.ts';
import { runCommand } from '../service.ts';

const SOURCES = fileURLToPath(new URL('../../test/fixtures/sources/geonames', import.meta.url));
const TABLES = ['admin1CodesASCII.txt', 'admin2Codes.txt', 'countryInfo.txt'];
const ARCHIVE = '/cities500.zip';
const PAGE = Buffer.from('<html>Down for maintenance</html>');

export const brokenDownload: Scenario = {
  name: 'broken-download',
  promise:
    'A broken download never changes the index: the update exits with 1, names the file, and the next one works.',
  run: runDownloads,
};

interface Update {
  readonly files: Map<string, Responder>;
  readonly index: string;
  run(): Promise<{ readonly code: number; readonly stderr: string }>;
}

/** Titles, and what the server sends for the archive. */
const FAILURES: Record<FaultRun['scale'], readonly (readonly [title: string, responder: Responder])[]> = {
  full: [
    ['status 404', status(404)],
    ['web page instead of the archive', wellServed(PAGE, '"page"')],
    ['damaged archive', wellServed(damagedArchive(), '"damaged"')],
    ['connection cut off every time', cutOff],
  ],
  short: [['damaged archive', wellServed(damagedArchive(), '"damaged"')]],
};

async function runDownloads(run: FaultRun): Promise<readonly Check[]> {
  const update = await startUpdates(run);
  const first = await update.run();
  assert.equal(first.code, 0, first.stderr);
  const index = readFileSync(update.index);
  const checks: Check[] = [];
  for (const [title, responder] of FAILURES[run.scale]) {
    run.print(title);
    update.files.set(ARCHIVE, responder);
    const problem = await problemOf(async () => {
      const { code, stderr } = await update.run();
      assert.equal(code, 1, `the exit code is ${code}`);
      assert.match(stderr, /cities500\.zip/);
      assert.deepEqual(readFileSync(update.index), index, 'the index has changed');
    });
    checks.push(behaves(title, 'exit code 1, a message that names the file, the same index', problem));
  }
  checks.push(behaves('connection cut off once', 'the download resumes', await problemOf(() => resume(update))));
  return checks;
}

/** Serves a small dump on the loopback address. */
async function startUpdates(run: FaultRun): Promise<Update> {
  const state = temporaryFolder(run);
  const files = new Map<string, Responder>(
    TABLES.map((name) => [`/${name}`, wellServed(readFileSync(join(SOURCES, name)))]),
  );
  files.set(ARCHIVE, wellServed(archive()));
  const url = await servePlainHttp(run, (request, response) => {
    (files.get(request.url ?? '') ?? status(404))(request, response);
  });
  const index = join(state, 'index', 'updated.toponym');
  return { files, index, run: () => runCommand(run, ['update', '--source-url', url.href, '--state', state]) };
}

async function resume({ files, index, run }: Update): Promise<void> {
  const before = readFileSync(index);
  const served = wellServed(archive('Vaduz'), '"new"');
  const ranges: (string | undefined)[] = [];
  files.set(ARCHIVE, (request, response) => {
    ranges.push(request.headers.range);
    (ranges.length === 1 ? cutOff : served)(request, response);
  });
  const { code, stderr } = await run();
  assert.equal(code, 0, stderr);
  assert.deepEqual(ranges.slice(1), [`bytes=${archive('Vaduz').length >> 1}-`]);
  assert.notDeepEqual(readFileSync(index), before, 'the index has not changed');
}

/** Sends the first bytes of an archive, and closes the connection. */
function cutOff(_request: unknown, response: Parameters<Responder>[1]): void {
  const content = archive('Vaduz');
  response.writeHead(200, { 'content-length': content.length, etag: '"new"' });
  response.write(content.subarray(0, content.length >> 1), () => response.destroy());
}

/** The dump; `extra` makes another one. */
function archive(extra = ''): Buffer {
  const dump = readFileSync(join(SOURCES, 'LI.txt'), 'utf8');
  return writeZip({ name: 'cities500.txt', content: extra === '' ? dump : dump.replaceAll('Oberbach', extra) });
}

function damagedArchive(): Buffer {
  const zip = archive();
  zip.writeUInt8(zip.readUInt8(60) ^ 0xff, 60);
  return zip;
}
