import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Client } from '../src/client.ts';
import { settle } from './fake-service.ts';

// not checked with this file, because it needs the types of browsers
const { createStaticClient } = (await import(new URL('../src/static.ts', import.meta.url).href)) as {
  createStaticClient(options: { readonly index: string }): Client & { readonly isReady: boolean; close(): void };
};

interface FakeWorker {
  onmessage(event: { readonly data: object }): void;
  readonly calls: { readonly id: number; readonly endpoint: string }[];
  isEnded: boolean;
}

/** A client whose Workers, and clock, the test controls. */
function aStaticClient(context: TestContext, index: string) {
  context.mock.timers.enable({ apis: ['setTimeout', 'setInterval'] });
  const workers: FakeWorker[] = [];
  class Worker {
    readonly calls: FakeWorker['calls'] = [];
    isEnded = false;
    constructor() {
      workers.push(this as unknown as FakeWorker);
    }
    postMessage(call: FakeWorker['calls'][0]): void {
      this.calls.push(call);
    }
    terminate(): void {
      this.isEnded = true;
    }
  }
  const page = new URL('https://shop.test/page');
  const globals = globalThis as { Worker?: unknown; location?: unknown };
  Object.assign(globals, { Worker, location: page });
  const client = createStaticClient({ index });
  context.after(() => {
    client.close();
    delete globals.Worker;
    delete globals.location;
  });
  const wait = async (seconds: number) => {
    for (let second = 0; second < seconds; second++) context.mock.timers.tick(1000);
    await settle();
  };
  return { client, workers, wait };
}

test('a Worker that the browser has ended without an event is given up after a minute, and the next call starts another', async (t) => {
  const { client, workers, wait } = aStaticClient(t, '/ended.toponym');
  const failed = client.query('par').then(
    () => 'answered',
    ({ code, message }) => `${code} ${message}`,
  );
  await wait(61);
  assert.match(await failed, /^worker_failed .*toponym-static\.js cannot run: it no longer answers$/);
  assert.deepEqual([workers.length, workers[0]?.isEnded], [1, true]);
  const found = client.query('par');
  const call = workers[1]?.calls.at(-1);
  workers[1]?.onmessage({ data: { id: call?.id, status: 200, body: '{"hits":[]}' } });
  assert.deepEqual(await found, { hits: [] });
});

test('a Worker that loads for minutes is waited for, because it gives signs of life', async (t) => {
  const { client, workers, wait } = aStaticClient(t, '/large.toponym');
  let isFailed = false;
  client.query('par').catch(() => {
    isFailed = true;
  });
  for (let i = 0; i < 60; i++) {
    await wait(5);
    workers[0]?.onmessage({ data: { id: 0 } });
  }
  assert.deepEqual([isFailed, client.isReady, workers[0]?.isEnded], [false, false, false]);
});
