/**
 * The application with a real engine, a real key store in a temporary folder, real limits, and a clock that tests move.
 */
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify';
import type { NewKeyFields } from '../../src/access/keys/key-record.ts';
import type { KeyStore } from '../../src/access/keys/key-store.ts';
import { openSqliteKeys } from '../../src/access/keys/sqlite-keys.ts';
import { createRateBuffer, openRateLimiter } from '../../src/access/limits/rate-limiter.ts';
import { type AppOptions, createApp } from '../../src/http/app.ts';
import { anEngine, aPlace } from '../support/an-engine.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

export const START_MS = Date.UTC(2030, 0, 1);

export const PARIS = aPlace({
  id: 'G2988507',
  name: 'Paris',
  type: 'city',
  admin1: 'FR.11',
  population: 2_138_551,
  adminRank: 5,
  lat: 48.85341,
  lng: 2.3488,
  timezone: 'Europe/Paris',
});
export const PARIS_TEXAS = aPlace({
  id: 'G4717560',
  name: 'Paris',
  type: 'town',
  country: 'US',
  admin1: 'US.TX',
  population: 24_782,
  lat: 33.66094,
  lng: -95.55551,
});
export const MONTMARTRE = aPlace({
  id: 'G2992090',
  name: 'Montmartre',
  type: 'suburban area',
  admin1: 'FR.11',
  lat: 48.88333,
  lng: 2.33333,
});

/** The engine of `anApp`, of the three places above. */
export const appEngine = await anEngine([PARIS, PARIS_TEXAS, MONTMARTRE]);

export interface TestApp {
  readonly app: FastifyInstance;
  readonly keys: KeyStore;
  /** When keys were last used, by id. */
  readonly uses: ReadonlyMap<string, number>;
  readonly key: string;
  readonly clock: { nowMs: number };
  createKey(fields: Partial<NewKeyFields>): string;
  /** POST with the default key and options as a form. */
  post(endpoint: string, form: string, overrides?: InjectOptions): Promise<LightMyRequestResponse>;
}

/** On a port of the loopback address, which it returns. */
export async function listen(app: FastifyInstance): Promise<number> {
  await app.listen({ host: '127.0.0.1', port: 0 });
  return (app.server.address() as AddressInfo).port;
}

export function anApp(
  t: TestContext,
  options: Partial<AppOptions> = {},
  firstKey: Partial<NewKeyFields> = {},
): TestApp {
  const folder = temporaryFolder(t);
  const keys = openSqliteKeys(join(folder, 'keys.sqlite'));
  const uses = new Map<string, number>();
  const clock = { nowMs: START_MS };
  const app = createApp({
    keptBytes: 1024 * 1024,
    engine: () => appEngine,
    keys: { find: (keyText) => keys.find(keyText), touch: (id, nowMs) => uses.set(id, nowMs) },
    limiter: openRateLimiter(createRateBuffer()),
    locate: (address) => (address === '203.0.113.7' ? { lat: 48.8, lng: 2.3 } : undefined),
    now: () => clock.nowMs,
    monotonicNow: () => clock.nowMs,
    logger: false,
    isReady: () => true,
    version: '0.0.0-test',
    ...options,
  });
  t.after(async () => {
    await app.close();
    keys.close();
  });
  const createKey = (fields: Partial<NewKeyFields>) => keys.create({ label: 'test', ...fields }, clock.nowMs).key;
  const key = createKey(firstKey);
  return {
    app,
    keys,
    uses,
    key,
    clock,
    createKey,
    post: (endpoint, form, overrides = {}) =>
      app.inject({
        method: 'POST',
        url: `/api/1/${endpoint}`,
        payload: form,
        ...overrides,
        headers: {
          'x-service-key': key,
          'content-type': 'application/x-www-form-urlencoded',
          ...overrides.headers,
        },
      }),
  };
}
