import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UsageError } from '../../../src/errors/usage-error.ts';
import type { ListenAddress } from '../../../src/serve/listen/listen-address.ts';
import { checkMetricsSettings, type MetricsSettings } from '../../../src/serve/metrics/metrics-settings.ts';

/** The warnings that the settings cause. The service listens on 127.0.0.1 port 8443. */
function warningsOf(settings: Partial<MetricsSettings>, service: Partial<ListenAddress> = {}): string[] {
  const warnings: string[] = [];
  const log = { warn: (message: string) => void warnings.push(message) };
  checkMetricsSettings(
    { kind: 'tcp', host: '127.0.0.1', port: 8443, ...service } as ListenAddress,
    { metricsPort: undefined, metricsHost: '127.0.0.1', ...settings },
    log as Parameters<typeof checkMetricsSettings>[2],
  );
  return warnings;
}

test('an address for metrics without a port causes a warning', () => {
  assert.deepEqual(warningsOf({ metricsHost: '0.0.0.0' }), [
    '--metrics-host 0.0.0.0 has no effect: set --metrics-port to turn on the metrics listener',
  ]);
  assert.deepEqual(warningsOf({}), []);
  assert.deepEqual(warningsOf({ metricsHost: '0.0.0.0', metricsPort: 9464 }), []);
});

test('the metrics listener and the service need different ports on one address', () => {
  const refusal = new UsageError(
    '--metrics-port 8443 is also the --port of the service on 127.0.0.1: choose another port for one of them (0 picks a free one).',
  );
  for (const metricsHost of ['127.0.0.1', '0.0.0.0', '::'])
    assert.throws(() => warningsOf({ metricsPort: 8443, metricsHost }), refusal);
  assert.throws(() => warningsOf({ metricsPort: 8443 }, { host: '0.0.0.0' }), UsageError);
  assert.deepEqual(warningsOf({ metricsPort: 8443, metricsHost: '127.0.0.2' }), []);
  assert.deepEqual(warningsOf({ metricsPort: 0 }, { port: 0 }), []);
  assert.deepEqual(warningsOf({ metricsPort: 8443 }, { kind: 'unix', path: '/run/toponym.sock', mode: 0o660 }), []);
});
