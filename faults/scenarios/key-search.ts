/** API keys in outputs, after clients have sent them wherever they may end up in one. */
import { formatCount } from '../../bench/report.ts';
import { redisProgram, startRedis } from '../../test/support/redis.ts';
import { type Check, exactly, figure, skipped } from '../checks.ts';
import type { FaultRun, Scenario } from '../scenario.ts';
import { createKey, runCommand, startService, stopService } from '../service.ts';

/** Kinds of outputs that must have been searched, so that the search is not empty. */
const OUTPUTS = [
  'log',
  'metrics',
  'error responses',
  'error output of commands',
  'process list',
  'state folder',
  'redis',
];

export const keySearch: Scenario = {
  name: 'key-search',
  promise: 'No key is in a log, metric, error, process list or key store after all other scenarios.',
  run: runSearch,
};

async function runSearch(run: FaultRun): Promise<readonly Check[]> {
  const { skip } = redisProgram;
  await leakEverywhere(run, []);
  if (skip === false) await leakIntoRedis(run);
  const { searched, found, keyCount } = run.keySearch;
  const missing = OUTPUTS.filter((output) => !searched.has(output) && (skip === false || output !== 'redis'));
  const total = [...searched.values()].reduce((sum, size) => sum + size, 0);
  for (const output of found) run.print(`a key is in: ${output}`);
  return [
    figure('keys', formatCount(keyCount)),
    figure(
      'searched',
      `${[...searched.keys()].join(', ')}: ${formatCount(Math.round(total / 1e6))} million characters`,
    ),
    ...(skip === false ? [] : [skipped('keys in Redis', skip)]),
    exactly('kinds of outputs that were not searched', missing.length, 0),
    exactly('outputs that contain a key', found.length, 0),
  ];
}

async function leakIntoRedis(run: FaultRun): Promise<void> {
  const redis = await startRedis(run);
  await leakEverywhere(run, ['--redis', redis.url]);
  run.keySearch.search('redis', await redis.dump());
}

/**
 * Sends a key in all parts of requests, and to commands, with the most verbose log. `storeFlags` name
 * the key store, if it is not in the state folder.
 */
async function leakEverywhere(run: FaultRun, storeFlags: readonly string[]): Promise<void> {
  const service = await startService(run, { args: ['--log-level', 'trace', ...storeFlags] });
  const { id, key } = await createKey(run, service, storeFlags);
  const encoded = [...key].map((letter) => `%${letter.charCodeAt(0).toString(16)}`).join('');
  const calls = [
    service.call(`/${key}`),
    service.call(`/${encoded}`),
    service.call(`/api/1/${key}/query`),
    service.call(`/api/1/query?key=${key}`),
    service.call(`/api/1/query?${key}=1`),
    service.call(`/api/1/query?query=par&aroundLatLng=${key}`),
    service.call('/api/1/id', { form: { objectID: key } }),
    service.call('/api/1/query', { form: { type: key } }),
    service.call('/api/1/query', { body: `{"query":"${key}"}` }),
    service.call('/api/1/query', { form: { query: 'par' }, key: `${key}x` }),
    service.call('/api/1/query', { form: { query: 'par' }, key: `${key}, ${key}` }),
    service.call('/api/1/query', { form: { query: 'par' }, key }),
  ];
  for (const { status, body } of await Promise.all(calls)) {
    if (status >= 400) run.keySearch.search('error responses', body);
  }
  const flags = ['--state', service.state, ...storeFlags];
  await runCommand(run, ['keys', 'revoke', key, ...flags]);
  await runCommand(run, ['keys', 'revoke', id, ...flags]);
  await runCommand(run, ['keys', key, ...flags]);
  if (storeFlags.length === 0) await runCommand(run, ['serve', '--tls-cert', key, ...flags]);
  await stopService(run, service);
}
