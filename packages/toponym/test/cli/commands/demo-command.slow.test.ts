/** `toponym demo` with a fake `xdg-open` that records the URL, and the real service behind it. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, watch, writeFileSync } from 'node:fs';
import { Agent, get } from 'node:https';
import { delimiter, dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { withDeadline } from '../../../../../test/support/deadline.ts';
import { PROGRAM, testEnvironment } from '../../../../../test/support/environment.ts';
import { writeVersion } from '../../../../../test/support/index-version.ts';
import { OutputLines } from '../../../../../test/support/output-lines.ts';
import { temporaryFolder } from '../../../../../test/support/temporary-folder.ts';
import { worldIndex } from '../../../../../test/support/world-index.ts';

interface DemoRun {
  readonly args?: readonly string[];
  /** Content of toponym.json. */
  readonly config?: object;
  /** Whether the index is that of `toponym update` in the working folder, and not one of --index. */
  readonly isUpdated?: boolean;
}

async function startDemo(context: TestContext, { args = [], config, isUpdated = false }: DemoRun = {}) {
  const folder = temporaryFolder(context);
  const [bin, cwd, temporary] = ['bin', 'work', 'temporary'].map((name) => join(folder, name));
  assert.ok(bin && cwd && temporary);
  for (const each of [bin, cwd, temporary]) mkdirSync(each);
  if (config !== undefined) writeFileSync(join(cwd, 'toponym.json'), JSON.stringify(config));
  const openedFile = join(folder, 'opened');
  // renamed, so that a reader never sees a part of the line
  writeFileSync(
    join(bin, 'xdg-open'),
    `#!/bin/sh\nprintf '%s\\n' "$@" > ${openedFile}.part && mv ${openedFile}.part ${openedFile}\n`,
    { mode: 0o755 },
  );
  if (isUpdated) {
    const index = join(cwd, 'state', 'index', 'updated.toponym');
    mkdirSync(dirname(index), { recursive: true });
    await writeVersion(index, 'own-2026-11-15', ['Seestadt']);
  }
  const indexFlags = isUpdated ? [] : ['--index', await worldIndex()];
  const child = spawn(process.execPath, [PROGRAM, 'demo', ...indexFlags, ...args], {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...testEnvironment(),
      PATH: `${bin}${delimiter}${process.env.PATH}`,
      DISPLAY: ':99',
      WAYLAND_DISPLAY: '',
      TMPDIR: temporary,
      TOPONYM_IP_DATABASE: 'none',
      TOPONYM_THREADS: '1',
    },
  });
  context.after(() => child.kill('SIGKILL'));
  const exit = once(child, 'exit') as Promise<[number | null, string | null]>;
  const output = new OutputLines(child.stdout);
  const errors = new OutputLines(child.stderr);
  const stop = async (signal: NodeJS.Signals) => {
    child.kill(signal);
    return await withDeadline('the demo has ended', exit);
  };
  return { child, cwd, temporary, openedFile, output, errors, stop };
}

/** Waits until the fake browser has recorded its arguments. */
async function openedUrl(file: string): Promise<string> {
  const folder = join(file, '..');
  const changes = new AbortController();
  const watcher = watch(folder, { signal: changes.signal });
  const isThere = async () => {
    while (!existsSync(file)) await once(watcher, 'change');
    return readFileSync(file, 'utf8');
  };
  const opened = await withDeadline('the browser has been opened', isThere());
  changes.abort();
  return opened;
}

async function fetchPage(url: string, agent?: Agent): Promise<{ status: number | undefined; html: string }> {
  const request = get(url, { rejectUnauthorized: false, agent: agent ?? false });
  const [response] = await once(request, 'response');
  return { status: response.statusCode, html: await text(response) };
}

test('demo prints the URL, opens it, serves the page, and leaves nothing behind after Ctrl-C', async (context) => {
  const { cwd, temporary, openedFile, output, stop } = await startDemo(context);
  await output.contains('Ctrl-C stops the demo');
  const [, url = ''] = /^ {2}(https:\/\/127\.0\.0\.1:\d+\/)$/m.exec(output.text) ?? [];
  assert.equal(await openedUrl(openedFile), `${url}\n`);
  assert.match(output.text, /certificate is self-signed.*: choose "Advanced", then "Proceed"\.$/m);
  // as a browser, which keeps its connection open
  const agent = new Agent({ keepAlive: true });
  context.after(() => agent.destroy());
  const { status, html } = await fetchPage(url, agent);
  assert.equal(status, 200);
  assert.match(html, /<toponym-search /);
  assert.equal(readdirSync(temporary).length, 1, 'the state folder is a temporary one');
  assert.deepEqual(await stop('SIGINT'), [0, null]);
  assert.deepEqual([readdirSync(temporary), readdirSync(cwd)], [[], []]);
});

test('demo --no-open shows the index of `toponym update`, as serve does, and opens no browser', async (context) => {
  const { openedFile, output, errors, stop } = await startDemo(context, { isUpdated: true, args: ['--no-open'] });
  await output.contains('Ctrl-C stops the demo');
  const [, url = ''] = /^ {2}(https:\/\/\S+)$/m.exec(output.text) ?? [];
  assert.match((await fetchPage(url)).html, /"dataset":{"version":"own-/);
  assert.deepEqual(await stop('SIGTERM'), [0, null]);
  assert.equal(existsSync(openedFile), false);
  assert.match(errors.text, /^Finishing running requests[^\n]*$/);
});

test('demo --json prints the line of serve --json, and closing the terminal ends the demo', async (context) => {
  // demo listens on loopback with TLS and its own keys, whatever toponym.json says
  const elsewhere = { host: '0.0.0.0', behindProxy: true, trustedProxies: '10.0.0.0/8' };
  const config = { ...elsewhere, redis: 'redis://127.0.0.1:1', redisMode: 'cluster', state: 'state', page: false };
  const { child, cwd, temporary, openedFile, output, stop } = await startDemo(context, { config, args: ['--json'] });
  await output.contains('"url"');
  assert.equal(output.lines.length, 1);
  const { url, pid, version, ...rest } = JSON.parse(output.text);
  assert.match(url, /^https:\/\/127\.0\.0\.1:\d+$/);
  assert.deepEqual([pid, rest], [child.pid, {}]);
  assert.match(version, /^\d+\.\d+\.\d+$/);
  assert.equal(await openedUrl(openedFile), `${url}/\n`);
  assert.equal((await fetchPage(`${url}/`)).status, 200);
  assert.deepEqual(await stop('SIGHUP'), [0, null]);
  assert.deepEqual([readdirSync(temporary), readdirSync(cwd)], [[], ['toponym.json']]);
});
