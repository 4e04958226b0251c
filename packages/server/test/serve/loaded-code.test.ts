import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';

/** Code that a start would load in vain, because most services do not need it, or need it later. */
const LATER =
  /deps\/undici|node_modules\/(pino|@redis|typebox|@rapideditor|selfsigned)\/|src\/(build\/|compat\/(?!compat-settings)|sources\/(?!report|embedded\/data-package))/;

/** What Node.js loads of itself and of other files for the module, in a thread of its own. */
async function loadedFor(path: string): Promise<string[]> {
  const thread = new Worker(
    `const { parentPort, workerData } = require('node:worker_threads');
     const loaded = [];
     require('node:module').registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) });
     import(workerData).then(() => parentPort.postMessage([...process.moduleLoadList, ...loaded]));`,
    { eval: true, workerData: new URL(`../../../${path}`, import.meta.url).href },
  );
  const [loaded] = await once(thread, 'message');
  await thread.terminate();
  return loaded;
}

test('a worker thread starts with the engine, but without code that it may never need', async () => {
  const loaded = await loadedFor('server/src/serve/threads/worker.ts');
  assert.ok(loaded.some((name) => name.endsWith('/engine/src/open-engine.ts')));
  assert.deepEqual(
    loaded.filter((name) => LATER.test(name)),
    [],
  );
});

test('the main thread starts without the code that searches', async () => {
  const loaded = await loadedFor('toponym/src/cli/commands/serve-command.ts');
  assert.ok(loaded.some((name) => name.endsWith('/serve/serve.ts')));
  assert.deepEqual(
    loaded.filter(
      (name) =>
        LATER.test(name) || /opencc-js|engine\/src\/(containing|page|query|rank|search|trie)\/|open-engine/.test(name),
    ),
    [],
  );
});
