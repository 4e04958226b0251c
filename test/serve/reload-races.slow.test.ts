/** Files that change while the service reads them, at a moment that the test chooses. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { readIndexFile } from '../../src/index-file/file.ts';
import { overlaidBy } from '../support/an-engine.ts';
import { writeVersion } from '../support/index-version.ts';
import { startInProcess } from '../support/service-in-process.ts';
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
    apply: async (index: SharedArrayBuffer) => {
      await hooks.whileBuilding?.(indexPath);
      return await overlaidBy(overlayPath)(index);
    },
  };
  const service = await startInProcess(context, {
    indexPath,
    overlay,
    watchSeconds: hooks.watchSeconds ?? WATCH_SECONDS,
    load: async (beforeRead) => {
      beforeRead();
      const bytes = readIndexFile(indexPath);
      await hooks.afterLoad?.(indexPath);
      return bytes;
    },
  });
  return { service, indexPath, reloaded: (version: string) => service.logged(`"data":"${version}+`) };
}

test('an index that is replaced between loading and listening is reloaded, and one that is replaced during a reload after it', async (context) => {
  let isFirstReload = false;
  const { indexPath, reloaded } = await aService(context, {
    afterLoad: (indexPath) => writeVersion(indexPath, 'zero', ['Zeta']),
    whileBuilding: async (indexPath) => {
      if (!isFirstReload) return;
      isFirstReload = false;
      await writeVersion(indexPath, 'three', ['Cora']);
      // several polls see the change while this reload runs
      await new Promise((resolve) => setTimeout(resolve, 10 * WATCH_SECONDS * 1000));
    },
  });
  await reloaded('zero');
  isFirstReload = true;
  const three = reloaded('three');
  await writeVersion(indexPath, 'two', ['Borea']);
  await three;
});

test('an index that is replaced during a reload is reloaded even if no poll saw it during that reload', async (context) => {
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
