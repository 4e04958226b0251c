/** A million generated requests to the adapters, over their port with plain HTTP. */

import { ADAPTER_NAMES } from 'toponym-server/compat/compat-settings';
import { formatCount } from '../../bench/report.ts';
import { builtIndex } from '../../test/support/built-index.ts';
import type { RunningService } from '../../test/support/running-service.ts';
import { behaves, exactly, figure, problemOf } from '../checks.ts';
import { checkAdapterResponse, exampleTargets, generateAdapterRequest } from '../requests/adapter-grammar.ts';
import {
  createKeys,
  REQUESTS,
  RequestTester,
  runShrinkable,
  SHRINKABLE,
  sendMany,
  testerChecks,
} from '../requests/request-tester.ts';
import type { FaultRun, Scenario } from '../scenario.ts';
import { startService } from '../service.ts';

export const compatRequests: Scenario = {
  name: 'compat-requests',
  promise:
    'Of a million generated requests to the adapters none gets status 500, clients of the other services can read every response, and memory stays flat.',
  run: runGenerated,
};

async function runGenerated(run: FaultRun) {
  run.print(`seed ${run.seed}`);
  const service = await startService(run, {
    args: [
      ...['--compat', ADAPTER_NAMES.join(), '--compat-listen', 'http://127.0.0.1:0'],
      ...['--trusted-proxies', '127.0.0.0/8', '--log-level', run.scale === 'full' ? 'warn' : 'info'],
    ],
    index: await builtIndex(),
  });
  const keys = await createKeys(run, service);
  const url = service.ready.compatUrl ?? '';
  const generate = (choose: (limit: number) => number) => generateAdapterRequest(choose, keys);
  const tester = new RequestTester(Number(new URL(url).port), { generate, check: checkAdapterResponse });
  run.after(() => tester.close());
  await loadBorders(service, keys.unlimited);
  const [first, total] = [SHRINKABLE[run.scale], REQUESTS[run.scale]];
  await runShrinkable(tester, first, run.seed);
  const { memory, seconds } = await sendMany(run, tester, { first, total, pid: service.ready.pid });
  const afterwards = await problemOf(() => callAll(url, keys.unlimited));
  return [
    figure('adapters', ADAPTER_NAMES.join(', ')),
    figure('requests', `${formatCount(total)} in ${Math.round(seconds)} s, seed ${run.seed}`),
    ...testerChecks(run, tester, memory, 'responses that clients of the other service could not read'),
    behaves('a valid request to each adapter afterwards', 'a response', afterwards),
    exactly('threads that failed', service.log().split('a thread exited').length - 1, 0),
  ];
}

/** The first lookup of a thread may load the borders of the world. New connections reach all threads. */
async function loadBorders(service: RunningService, key: string): Promise<void> {
  const form = { aroundLatLng: '48.85,2.35', mode: 'containing' };
  for (let i = 0; i < 16; i++) await service.call('/api/1/reverse', { form, key });
}

async function callAll(url: string, key: string): Promise<void> {
  for (const target of exampleTargets()) {
    const { status } = await fetch(url + target, { headers: { 'x-api-key': key } });
    if (status !== 200) throw new Error(`${target} has status ${status}`);
  }
}
