/** Many calls at once whose bodies are chunked. */

import { formatCount } from '../../bench/report.ts';
import { exactly, figure } from '../checks.ts';
import { RawConnection } from '../http/raw-connection.ts';
import type { FaultRun, Scenario } from '../scenario.ts';
import { createKey, startService } from '../service.ts';

const CALLS = { full: 400, short: 100 };
const ROUNDS = { full: 10, short: 1 };

export const chunkedCalls: Scenario = {
  name: 'chunked-calls',
  promise: 'Each of 400 chunked calls that arrive at once gets its response, or 503 if there is too little time.',
  run: runChunkedCalls,
};

async function runChunkedCalls(run: FaultRun) {
  const args = ['--threads', '1', '--behind-proxy', '--trusted-proxies', '127.0.0.1', '--log-level', 'warn'];
  const service = await startService(run, { args });
  const { key } = await createKey(run, service);
  const port = Number(new URL(service.ready.url).port);
  const statuses = new Map<number | undefined, number>();
  for (let round = 0; round < ROUNDS[run.scale]; round++) {
    const connections = Array.from({ length: CALLS[run.scale] }, () => new RawConnection({ port }));
    const responses = await Promise.all(connections.map((connection) => connection.send(chunkedCall(key))));
    for (const response of responses) statuses.set(response?.status, 1 + (statuses.get(response?.status) ?? 0));
    for (const connection of connections) connection.destroy();
  }
  const [ok = 0, shed = 0, none = 0] = [200, 503, undefined].map((status) => statuses.get(status));
  const calls = CALLS[run.scale] * ROUNDS[run.scale];
  return [
    figure('calls', `${formatCount(calls)} in ${ROUNDS[run.scale]} rounds, each over a new connection`),
    figure('calls answered with 200 and with 503', `${formatCount(ok)} and ${formatCount(shed)}`),
    exactly('calls without a response', none, 0),
    exactly('calls with another response', calls - ok - shed - none, 0),
  ];
}

function chunkedCall(key: string): string {
  const head = ['POST /api/1/query HTTP/1.1', 'Host: a', `X-Service-Key: ${key}`, 'Transfer-Encoding: chunked'];
  const type = 'Content-Type: application/x-www-form-urlencoded';
  return [...head, type, '', '6', 'query=', '4', 'lond', '0', '', ''].join('\r\n');
}
