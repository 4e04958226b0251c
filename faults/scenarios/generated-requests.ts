/** A million generated requests, valid and not, and raw bytes. */

import { MAX_RECORDS } from 'toponym-access/keys/key-record';
import { formatCount } from '../../bench/report.ts';
import { builtIndex } from '../../test/support/built-index.ts';
import type { RunningService } from '../../test/support/running-service.ts';
import { exactly, figure } from '../checks.ts';
import { RawConnection } from '../http/raw-connection.ts';
import { generateRequest, type RequestKeys } from '../requests/request-grammar.ts';
import {
  CONNECTIONS,
  createKeys,
  REQUESTS,
  RequestTester,
  runShrinkable,
  SHRINKABLE,
  sendMany,
  testerChecks,
} from '../requests/request-tester.ts';
import { createResponseCheck, type ResponseCheck } from '../requests/response-check.ts';
import type { FaultRun, Scenario } from '../scenario.ts';
import { startService, stopService } from '../service.ts';

export const generatedRequests: Scenario = {
  name: 'generated-requests',
  promise:
    'Of a million generated requests none gets status 500, none waits over a second, every response is as documented, and memory stays flat.',
  run: runGenerated,
};

async function runGenerated(run: FaultRun) {
  run.print(`seed ${run.seed}`);
  const total = REQUESTS[run.scale];
  const first = SHRINKABLE[run.scale];
  const shrinkable = await startTester(run, 'info');
  await runShrinkable(shrinkable.tester, first, run.seed);
  const { service, tester } = run.scale === 'full' ? await startFullTester(run, shrinkable) : shrinkable;
  const { memory, seconds } = await sendMany(run, tester, { first, total, pid: service.ready.pid });
  return [
    figure('requests', `${formatCount(total)} in ${Math.round(seconds)} s, seed ${run.seed}`),
    ...testerChecks(run, tester, memory, 'responses that differ from the OpenAPI document'),
    exactly('threads that failed', service.log().split('a thread exited').length - 1, 0),
  ];
}

/** A service that logs less, because a million lines take long to search. Its caches are full. */
async function startFullTester(run: FaultRun, shrinkable: Target): Promise<Target> {
  await stopService(run, shrinkable.service);
  const target = await startTester(run, 'warn');
  target.tester.addCounts(shrinkable.tester);
  await fillCaches(new URL(target.service.ready.url), target.keys.unlimited);
  return target;
}

/** Fills the response caches of all threads: they grow until then, up to the documented size. */
async function fillCaches({ port }: URL, key: string): Promise<void> {
  // the operating system distributes the connections among the threads
  await Promise.all(Array.from({ length: CONNECTIONS }, () => fillCache(Number(port), key)));
}

async function fillCache(port: number, key: string): Promise<void> {
  const connection = new RawConnection({ port });
  const letters = [...'abcdefghijklmnopqrstuvwxyz'];
  for (const first of letters) {
    for (const second of letters) {
      const calls = Array.from({ length: MAX_RECORDS }, (_, i) => {
        const target = `/api/1/query?query=${first}${second}&getRankingInfo=true&hitsPerPage=${i + 1}`;
        return `POST ${target} HTTP/1.1\r\nHost: a\r\nX-Service-Key: ${key}\r\nContent-Length: 0\r\n\r\n`;
      });
      await connection.sendAll(calls);
    }
  }
  connection.destroy();
}

interface Target {
  readonly service: RunningService;
  readonly keys: RequestKeys;
  readonly tester: RequestTester;
}

async function startTester(run: FaultRun, logLevel: string): Promise<Target> {
  const args = ['--behind-proxy', '--trusted-proxies', '127.0.0.0/8', '--log-level', logLevel];
  const service = await startService(run, { args, index: await builtIndex() });
  const keys = await createKeys(run, service);
  const port = Number(new URL(service.ready.url).port);
  const tester = new RequestTester(port, {
    generate: (choose) => generateRequest(choose, keys),
    check: await fetchResponseCheck(port),
  });
  run.after(() => tester.close());
  return { service, keys, tester };
}

async function fetchResponseCheck(port: number): Promise<ResponseCheck> {
  const connection = new RawConnection({ port });
  const response = await connection.send('GET /openapi.json HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
  return createResponseCheck(JSON.parse(response?.body.toString() ?? '') as object);
}
