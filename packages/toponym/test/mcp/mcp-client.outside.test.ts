/** The official client lists and calls every tool, over both transports. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { TOOLS } from '../../../../test/package/tools.ts';
import { builtIndex } from '../../../../test/support/built-index.ts';
import { PROGRAM, testEnvironment } from '../../../../test/support/environment.ts';
import { temporaryFolder } from '../../../../test/support/temporary-folder.ts';

await TOOLS.install();
const sdk = join(TOOLS.packages, '@modelcontextprotocol', 'client', 'dist');
const { Client, StreamableHTTPClientTransport } = await import(pathToFileURL(join(sdk, 'index.mjs')).href);
const { StdioClientTransport } = await import(pathToFileURL(join(sdk, 'stdio.mjs')).href);
await builtIndex();

async function listAndCallAll(t: TestContext, transport: unknown): Promise<void> {
  const client = new Client({ name: 'test', version: '1' });
  t.after(() => client.close());
  await client.connect(transport);
  const { tools } = await client.listTools();
  assert.deepEqual(
    tools.map(({ name }: { name: string }) => name),
    ['find_place', 'find_places', 'nearest_place', 'get_place'],
  );
  for (const { description, inputSchema, outputSchema, annotations } of tools) {
    assert.ok(description && inputSchema.properties && outputSchema.properties);
    assert.equal(annotations.readOnlyHint, true);
  }
  // the client checks results against the schemas of the tools
  const call = async (name: string, args: object) =>
    (await client.callTool({ name, arguments: args })).structuredContent;
  const found = await call('find_place', { text: 'springfield' });
  assert.deepEqual([found.place.label, found.candidates.length], ['Springfield, Illinois, United States', 5]);
  const { results } = await call('find_places', { texts: ['paris, texas', 'Munich'] });
  assert.deepEqual(
    results.map(({ place }: { place: { label: string } }) => place.label),
    ['Paris, Texas, United States', 'Munich, Germany'],
  );
  const { places } = await call('nearest_place', { lat: 54.36, lng: 10.11 });
  assert.equal(places[0].label, 'Kiel, Germany');
  const { names } = await call('get_place', { id: found.place.id });
  assert.ok(Object.keys(names).length > 3);
  const unknown = await client.callTool({ name: 'get_place', arguments: { id: 'G1' } });
  assert.deepEqual([unknown.isError, unknown.content[0].text], [true, 'ObjectID does not exist: G1']);
}

test('the official client lists and calls every tool over standard input and output', async (t) => {
  const env = Object.fromEntries(Object.entries(testEnvironment()).filter(([, value]) => value !== undefined));
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [PROGRAM, 'mcp'],
    env,
    cwd: temporaryFolder(t),
  });
  await listAndCallAll(t, transport);
});

test('the official client lists and calls every tool over HTTP', async (t) => {
  const args = [PROGRAM, 'mcp', '--http', '127.0.0.1:0', '--json'];
  const child = spawn(process.execPath, args, { env: testEnvironment(), cwd: temporaryFolder(t) });
  t.after(() => child.kill());
  const [line] = await once(child.stdout, 'data');
  const { url } = JSON.parse(String(line));
  assert.match(url, /^http:\/\/127\.0\.0\.1:\d+\/mcp$/);
  await listAndCallAll(t, new StreamableHTTPClientTransport(new URL(url)));
});
