import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { stringify } from 'yaml';
import { waitUntil } from '../../support/deadline.ts';
import { freePort } from '../../support/free-port.ts';
import { writeVersion } from '../../support/index-version.ts';
import { outsideProgram } from '../../support/outside-programs.ts';
import { redisProgram, startRedis } from '../../support/redis.ts';
import { type RunningService, runService } from '../../support/running-service.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { ALERTS_FILE, dashboardQueries, readAlertRules } from './monitoring-files.ts';

const prometheusProgram = outsideProgram('prometheus');
const skip = prometheusProgram.skip || redisProgram.skip;
const SCRAPE_MS = 1000;
/** A metric that Prometheus itself makes. */
const OWN_METRICS = ['up'];

/** A service with Redis that has answered calls with status 200, 401 and 429. */
async function aBusyService(context: TestContext): Promise<RunningService> {
  const redis = await startRedis(context);
  const index = join(temporaryFolder(context), 'a.toponym');
  await writeVersion(index, 'mine-2026-01-01', ['Alba', 'Borea']);
  const args = ['--threads', '1', '--redis', redis.url, '--metrics-port', '0'];
  const service = await runService(context, { index, args });
  assert.equal((await service.call('/api/1/query', { key: 'wrong' })).status, 401);
  for (let status = 200; status === 200; ) {
    ({ status } = await service.call('/api/1/query', { form: { query: 'alba' } }));
  }
  return service;
}

function metricsAddress({ ready }: RunningService): URL {
  return new URL(ready.metricsUrl ?? '');
}

/** Starts Prometheus with the alert rules. Returns a function that calls its API. */
async function startPrometheus(context: TestContext, target: string) {
  const folder = temporaryFolder(context);
  const config = {
    global: { scrape_interval: `${SCRAPE_MS}ms`, evaluation_interval: `${SCRAPE_MS}ms` },
    rule_files: [ALERTS_FILE],
    scrape_configs: [{ job_name: 'toponym', static_configs: [{ targets: [target] }] }],
  };
  writeFileSync(join(folder, 'prometheus.yaml'), stringify(config));
  const address = `127.0.0.1:${await freePort()}`;
  const args = ['--config.file', join(folder, 'prometheus.yaml'), '--storage.tsdb.path', join(folder, 'data')];
  const child = spawn(prometheusProgram.path, [...args, '--web.listen-address', address], { stdio: 'ignore' });
  const exit = once(child, 'exit');
  context.after(async () => {
    child.kill('SIGKILL');
    await exit;
  });
  // biome-ignore lint/suspicious/noExplicitAny: the test reads the fields it expects
  return async (path: string): Promise<any> => {
    const response = await fetch(`http://${address}/api/v1/${path}`).catch(() => undefined);
    return response?.headers.get('content-type')?.includes('json') ? await response.json() : undefined;
  };
}

test('the dashboard and the alert rules fit a running service', { skip }, async (context) => {
  const service = await aBusyService(context);

  await context.test('every metric that they use exists', async () => {
    const text = await (await fetch(metricsAddress(service))).text();
    const existing = new Set(text.match(/^[a-z_]+/gm));
    const expressions = [...dashboardQueries(), ...readAlertRules()].map(({ expr }) => expr);
    const used = new Set(expressions.flatMap((expr) => expr.match(/\b(up|(toponym|process)_\w+)\b/g) ?? []));
    assert.ok(used.size > 25);
    assert.deepEqual(
      [...used].filter((name) => !existing.has(name) && !OWN_METRICS.includes(name)),
      [],
    );
  });

  await context.test(
    'every panel shows data, and no alert fires but those of old data and a busy machine',
    async (t) => {
      const api = await startPrometheus(t, metricsAddress(service).host);
      for (const { title, expr } of dashboardQueries()) {
        const query = expr.replaceAll(/\$__(rate_interval|range)/g, '30s').replaceAll(/\$(job|instance)/g, '.+');
        const path = `query?query=${encodeURIComponent(query)}`;
        await waitUntil(`the panel "${title}" shows data`, async () => {
          const reply = await api(path);
          if (reply?.status === 'error') assert.fail(`${title}: ${reply.error}`);
          if (reply?.data.result.length > 0) return true;
          await service.call('/api/1/query', { key: 'wrong' });
          await pause(SCRAPE_MS / 10);
          return false;
        });
      }
      await waitUntil('every rule has been evaluated', async () => {
        await pause(SCRAPE_MS / 10);
        const reply = await api('rules');
        const rules: { health: string }[] = reply.data.groups.flatMap((group: { rules: unknown[] }) => group.rules);
        return rules.length === readAlertRules().length && rules.every(({ health }) => health === 'ok');
      });
      const { data } = await api('alerts');
      const names: string[] = data.alerts.map(({ labels }: { labels: { alertname: string } }) => labels.alertname);
      // the embedded data is old, and on a busy machine threads wait for a processor
      const expected = ['ToponymDataOld', 'ToponymEventLoopDelayed', 'ToponymSlow'];
      assert.deepEqual(
        names.filter((name) => !expected.includes(name)),
        [],
      );
    },
  );
});
