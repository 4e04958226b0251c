/** Files that change while the service reads them, at a moment that the test chooses. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { pino } from 'pino';
import { readIndexFile } from '../../src/index-file/file.ts';
import { type ServeOptions, startService } from '../../src/serve/serve.ts';
import { openStateFolder } from '../../src/serve/state/state-folder.ts';
import { anIndex } from '../support/an-engine.ts';
import { withDeadline } from '../support/deadline.ts';
import { writeVersion } from '../support/index-version.ts';
import { runService } from '../support/running-service.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const WATCH_SECONDS = 0.05;

interface Hooks {
  readonly watchSeconds?: number;
  /** Called after the index was read at the start. */
  readonly afterLoad?: (indexPath: string) => Promise<void>;
  /** Called while the overlay is built, at the start and in each reload. */
  readonly whileBuilding?: (indexPath: string) => Promise<void>;
}

async function aService(context: TestContext, hooks: Hooks) {
  const folder = temporaryFolder(context);
  const indexPath = join(folder, 'data.toponym');
  const overlayPath = join(folder, 'overlay.ndjson');
  writeFileSync(overlayPath, '');
  await writeVersion(indexPath, 'one', ['Alba']);
  const overlay = {
    path: overlayPath,
    build: async () => {
      await hooks.whileBuilding?.(indexPath);
      return await anIndex([]);
    },
  };
  const options: ServeOptions = {
    host: '127.0.0.1',
    port: 0,
    threads: 1,
    state: openStateFolder(join(folder, 'state')),
    indexPath,
    overlay,
    allowShrunkenData: false,
    watchSeconds: hooks.watchSeconds ?? WATCH_SECONDS,
    tlsCert: undefined,
    tlsKey: undefined,
    tlsClientCa: undefined,
    hstsSeconds: 0,
    behindProxy: true,
    socketMode: 0o660,
    trustedProxies: [],
    proxyProtocol: false,
    serviceName: 'Service',
    ipDatabase: ['none'],
    metricsPort: undefined,
    metricsHost: '127.0.0.1',
    drainGraceSeconds: 0,
    drainSeconds: 1,
    logLevel: 'silent',
    page: false,
    version: 'test',
  };
  const load = async (beforeRead: () => void) => {
    beforeRead();
    const bytes = readIndexFile(indexPath);
    await hooks.afterLoad?.(indexPath);
    return bytes;
  };
  const versions = new EventTarget();
  const log = pino({ level: 'info' }, { write: (line) => void versions.dispatchEvent(new Event(versionOf(line))) });
  const reloaded = (version: string) =>
    withDeadline(
      `version ${version} is reloaded`,
      new Promise<void>((resolve) => versions.addEventListener(version, () => resolve(), { once: true })),
    );
  const service = await startService(options, load, log);
  context.after(() => service.stop());
  return { service, indexPath, reloaded };
}

/** The data version that a log line reports as reloaded. */
function versionOf(line: string): string {
  const { data } = JSON.parse(line) as { data?: string };
  return data?.split('+')[0] ?? 'none';
}

test('an index that is replaced between loading and listening is reloaded', { timeout: 60_000 }, async (context) => {
  const { reloaded } = await aService(context, {
    afterLoad: (indexPath) => writeVersion(indexPath, 'two', ['Borea']),
  });
  await reloaded('two');
});

test('an index that is replaced during a reload is reloaded after it', { timeout: 60_000 }, async (context) => {
  let isFirstReload = false;
  const { indexPath, reloaded } = await aService(context, {
    whileBuilding: async (indexPath) => {
      if (!isFirstReload) return;
      isFirstReload = false;
      await writeVersion(indexPath, 'three', ['Cora']);
      // several polls see the change while this reload runs
      await new Promise((resolve) => setTimeout(resolve, 10 * WATCH_SECONDS * 1000));
    },
  });
  isFirstReload = true;
  const three = reloaded('three');
  await writeVersion(indexPath, 'two', ['Borea']);
  await three;
});

test('an index that is replaced during a reload is reloaded even if no poll saw it during that reload', {
  timeout: 60_000,
}, async (context) => {
  let isFirstReload = false;
  const { service, indexPath, reloaded } = await aService(context, {
    // longer than a reload: a change counts after two polls, so they cannot both fall into one
    watchSeconds: 1,
    whileBuilding: async (indexPath) => {
      if (isFirstReload) await writeVersion(indexPath, 'three', ['Cora']);
      isFirstReload = false;
    },
  });
  isFirstReload = true;
  const three = reloaded('three');
  await writeVersion(indexPath, 'two', ['Borea']);
  await service.reload();
  await three;
});

test('a burst of SIGHUPs causes few reloads, the last of which reads the newest file', {
  timeout: 60_000,
}, async (context) => {
  const index = join(temporaryFolder(context), 'data.toponym');
  await writeVersion(index, 'one', ['Alba']);
  const service = await runService(context, { index, args: ['--threads', '1'] });
  for (let i = 0; i < 60; i++) {
    service.child.kill('SIGHUP');
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  await writeVersion(index, 'last', ['Borea']);
  service.child.kill('SIGHUP');
  await service.logged('"data":"last"');
  const reloads = service.log().match(/"msg":"reloaded"/g)?.length ?? 0;
  // two, or more if the signals take longer than the pause between reloads
  assert.ok(reloads <= 10, `${reloads} reloads`);
});
