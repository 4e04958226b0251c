import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import type { Check } from '../../../src/cli/doctor/check.ts';
import { examine } from '../../../src/cli/doctor/examine.ts';
import { ok } from '../../../src/cli/doctor/finding.ts';
import { waitUntil } from '../../support/deadline.ts';
import { aContext } from './a-context.ts';

async function levels(context: TestContext, checks: readonly Check[]): Promise<string[]> {
  const findings = await examine(aContext(context), checks);
  return findings.map(({ area, level }) => `${area} ${level}`);
}

test('findings are in the order of the checks, though remote checks run first', async (context) => {
  const order: string[] = [];
  const check = (area: string, isRemote?: true): Check => ({
    area,
    ...(isRemote && { isRemote }),
    examine: () => [ok(String(order.push(area)))],
  });
  const checks = [check('a'), check('b', true), check('c')];
  assert.deepEqual(await levels(context, checks), ['a ok', 'b ok', 'c ok']);
  assert.deepEqual(order, ['b', 'a', 'c']);
});

test('a check that throws is a problem, and the others still run', async (context) => {
  const failing: Check = { area: 'a', examine: () => Promise.reject(new Error('broken')) };
  assert.deepEqual(await levels(context, [failing, { area: 'b', examine: () => [ok('')] }]), ['a problem', 'b ok']);
});

test('a check that hangs is a problem after the deadline', async (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] });
  const hanging: Check = { area: 'a', isRemote: true, examine: () => new Promise(() => {}) };
  const found = levels(context, [hanging]);
  context.mock.timers.tick(7000);
  assert.deepEqual(await found, ['a problem']);
});

test('servers that never answer are waited for at the same time, for 7 s', async (context) => {
  const sockets: Socket[] = [];
  const server = createServer((socket) => sockets.push(socket)).listen(0, '127.0.0.1');
  context.after(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const flags = { port: String(port), redis: `redis://127.0.0.1:${port}`, ipDatabase: 'none' };
  const doctor = aContext(context, { flags, env: { TOPONYM_INDEX: `http://127.0.0.1:${port}/a.toponym` } });
  context.mock.timers.enable({ apis: ['setTimeout'] });
  const found = examine(doctor);
  await waitUntil('the index server, Redis and the port are asked', () => sockets.length === 3);
  context.mock.timers.tick(7000);
  const problems = (await found).filter(({ level }) => level === 'problem').map(({ area }) => area);
  assert.deepEqual(problems, ['index server', 'Redis', 'port']);
});
