/** MCP over standard input and output, as a process. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { runCommand } from '../../../../test/support/command.ts';
import { withDeadline } from '../../../../test/support/deadline.ts';
import { PROGRAM, testEnvironment } from '../../../../test/support/environment.ts';
import { OutputLines } from '../../../../test/support/output-lines.ts';
import { temporaryFolder } from '../../../../test/support/temporary-folder.ts';
import { worldIndex } from '../../../../test/support/world-index.ts';

const INITIALIZE =
  '{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}\n';
const INITIALIZED = '{"jsonrpc":"2.0","method":"notifications/initialized"}\n';
const SYDNEY =
  '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"find_place","arguments":{"text":"sydney"}}}\n';

async function startMcp(t: TestContext) {
  const child = spawn(process.execPath, [PROGRAM, 'mcp', '--index', await worldIndex()], {
    env: testEnvironment(),
    cwd: temporaryFolder(t),
  });
  t.after(() => child.kill());
  child.stdin.on('error', () => {});
  const exited = once(child, 'exit') as Promise<[number | null]>;
  return { child, code: async () => (await withDeadline('the program ends', exited))[0] };
}

test('requests from a pipe are answered, a line that is not a message with an error, and the program ends with its input', async (t) => {
  const { child, code } = await startMcp(t);
  const errors = new OutputLines(child.stderr);
  child.stdin.end(`${INITIALIZE}${INITIALIZED}{"jsonrpc":"2.0",\n[]\n\n{"id":1}\r\n${SYDNEY}`);
  const answers = (await text(child.stdout))
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  const refusals = answers.filter(({ id }) => id === null);
  assert.deepEqual(
    refusals.map(({ jsonrpc, error }) => [jsonrpc, error.code]),
    [
      ['2.0', -32700],
      ['2.0', -32600],
      ['2.0', -32600],
    ],
  );
  assert.match(refusals[0].error.message, /^The line is not JSON: ./);
  const results = answers.filter(({ id }) => id !== null);
  assert.deepEqual(
    results.map(({ id }) => id),
    [0, 1],
  );
  assert.equal(results[0].result.serverInfo.name, 'toponym');
  assert.equal(results[1].result.structuredContent.place.name, 'Sydney');
  assert.equal(await code(), 0);
  assert.match(errors.text, /^toponym: The line is not JSON: .*\ntoponym: The line is not a JSON-RPC message$/m);
});

test('a message of more than a megabyte ends the program', async (t) => {
  const { child, code } = await startMcp(t);
  const errors = new OutputLines(child.stderr);
  child.stdin.write(INITIALIZE);
  await once(child.stdout, 'data');
  child.stdin.write('x'.repeat(1_200_000));
  await code();
  assert.match(errors.text, /^toponym: .*1048576/m);
});

test('a client that goes away ends the program', async (t) => {
  const { child, code } = await startMcp(t);
  child.stdin.write(INITIALIZE);
  await once(child.stdout, 'data');
  child.stdout.destroy();
  for (let i = 0; i < 50; i++) child.stdin.write(SYDNEY);
  child.stdin.destroy();
  await code();
});

test('an index that cannot be read is an error at once', async () => {
  const { stderr, code } = await runCommand(['mcp', '--index', 'missing.toponym']);
  assert.match(stderr, /^toponym: The index .*missing\.toponym cannot be read/);
  assert.equal(code, 2);
});
