/**
 * An application with a real engine, key store and limits, on a loopback port. Tests set its clock.
 */

import { once } from 'node:events';
import { Agent, request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import { buffer, text } from 'node:stream/consumers';
import type { TestContext } from 'node:test';
import { pino } from 'pino';
import { parseCidr } from 'toponym-access/address';
import type { NewKeyFields } from 'toponym-access/keys/key-record';
import { openSqliteKeys, type SqliteKeys } from 'toponym-access/keys/sqlite-keys';
import { type Limits, localLimits } from 'toponym-access/limits/limits';
import { createQuotaBuffer, QuotaTable } from 'toponym-access/limits/quota-table';
import { createRateBuffer, RateLimiter } from 'toponym-access/limits/rate-limiter';
import { anEngine, aPlace } from '../../../../test/support/an-engine.ts';
import { temporaryFolder } from '../../../../test/support/temporary-folder.ts';
import { type App, type AppOptions, createApp } from '../../src/http/app.ts';

export const LOOPBACK = parseCidr('127.0.0.1/32')!;
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

/** Limits of `anApp` that decide differently about calls or daily calls. */
export function limitsWith(
  changes: Partial<Limits>,
  settings?: Parameters<typeof createRateBuffer>[0],
): { readonly limits: Limits } {
  const limiter = new RateLimiter(createRateBuffer(settings));
  return { limits: { ...localLimits({ limiter, quotas: new QuotaTable(createQuotaBuffer()) }), ...changes } };
}

/** The engine of `anApp`, of the three places above. */
export const appEngine = await anEngine([PARIS, PARIS_TEXAS, MONTMARTRE]);

export interface TestApp {
  readonly app: App;
  readonly keys: SqliteKeys;
  /** When keys were last used, by id. */
  readonly uses: ReadonlyMap<string, number>;
  readonly key: string;
  readonly clock: { nowMs: number };
  createKey(fields: Partial<NewKeyFields>): string;
  /** Sends one request over a loopback connection. */
  request(options: string | TestRequest): Promise<TestResponse>;
  /** POST with the default key and options as a form. */
  post(endpoint: string, form: string, overrides?: Partial<TestRequest>): Promise<TestResponse>;
}

export interface TestRequest {
  readonly method?: string;
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly payload?: string | Buffer;
  /** Sent as `X-Forwarded-For`: the application must trust 127.0.0.1. */
  readonly remoteAddress?: string | undefined;
}

export interface TestResponse {
  readonly statusCode: number;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
  readonly body: string;
  // biome-ignore lint/suspicious/noExplicitAny: each test knows the shape it expects
  json(): any;
}

/** Listens on the loopback address, unless it does already, and returns the port. */
export async function listen({ server }: App): Promise<number> {
  if (!server.listening) {
    server.listen({ host: '127.0.0.1', port: 0 });
    await once(server, 'listening');
  }
  return (server.address() as AddressInfo).port;
}

/** Sends bytes on a new connection. Returns what the server sends until it closes the connection. */
export async function sendRaw(app: App, bytes: string): Promise<string> {
  const socket = connect(await listen(app), '127.0.0.1');
  socket.write(bytes);
  return await text(socket);
}

/** The statuses of all responses in what the server has sent. */
export function statusesIn(received: string): number[] {
  return [...received.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
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
    cacheBytes: 1024 * 1024,
    engine: () => appEngine,
    keys: { find: (keyText) => keys.find(keyText), touch: (id, nowMs) => uses.set(id, nowMs) },
    ...limitsWith({}),
    locate: (address) => (address === '203.0.113.7' ? { lat: 48.8, lng: 2.3 } : undefined),
    now: () => clock.nowMs,
    monotonicNow: () => clock.nowMs,
    log: pino({ level: 'silent' }),
    notReadyReason: () => undefined,
    version: '0.0.0-test',
    ...options,
  });
  const agent = new Agent({ keepAlive: true });
  const request = (options: string | TestRequest) =>
    sendRequest(app, agent, typeof options === 'string' ? { url: options } : options);
  t.after(async () => {
    agent.destroy();
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
    request,
    post: (endpoint, form, overrides = {}) =>
      request({
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

async function sendRequest(app: App, agent: Agent, { url, ...options }: TestRequest): Promise<TestResponse> {
  const { method = 'GET', payload = '', remoteAddress } = options;
  const forwarded = remoteAddress === undefined ? {} : { 'x-forwarded-for': remoteAddress };
  const length = payload === '' && method === 'GET' ? {} : { 'content-length': String(Buffer.byteLength(payload)) };
  const headers = { ...length, ...forwarded, ...options.headers };
  const sent = httpRequest({ host: '127.0.0.1', port: await listen(app), method, path: url, headers, agent });
  sent.end(payload);
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  const bytes = await buffer(response);
  const body = bytes.toString();
  const { statusCode = 0, headers: received } = response;
  return { statusCode, headers: received, bytes, body, json: () => JSON.parse(body) };
}
