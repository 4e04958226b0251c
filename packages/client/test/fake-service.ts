/** A client whose calls and clock the test controls. */
import type { TestContext } from 'node:test';
import { setImmediate as nextTick } from 'node:timers/promises';
import { type ClientOptions, createClient } from '../src/client.ts';

export interface FakeCall {
  readonly url: string;
  readonly init: RequestInit & { readonly signal: AbortSignal };
  /** The options that were sent. */
  readonly form: Readonly<Record<string, string>>;
  /** Answers with JSON, or with `body` as it is if it is text. */
  respond(status: number, body: unknown, headers?: Record<string, string>): Promise<void>;
  /** Fails as without a network. */
  fail(cause: Error): Promise<void>;
}

export function aClient(context: TestContext, options: Partial<ClientOptions> = {}) {
  context.mock.timers.enable({ apis: ['setTimeout', 'Date'], now: Date.UTC(2026, 0, 1) });
  const calls: FakeCall[] = [];
  const fakeFetch = (url: string, init: FakeCall['init']) => {
    const { promise, resolve, reject } = Promise.withResolvers<Response>();
    init.signal.addEventListener('abort', () => reject(init.signal.reason));
    calls.push({
      url,
      init,
      form: Object.fromEntries(init.body as URLSearchParams),
      respond: (status, body, headers = {}) => {
        resolve(new Response(typeof body === 'string' ? body : JSON.stringify(body), { status, headers }));
        return settle();
      },
      fail: (cause) => {
        reject(cause);
        return settle();
      },
    });
    return promise;
  };
  const advance = async (ms: number) => {
    context.mock.timers.tick(ms);
    await settle();
  };
  const client = createClient({
    url: 'https://places.test',
    key: 'tpk_1',
    fetch: fakeFetch as typeof fetch,
    ...options,
  });
  return { client, calls, advance };
}

/** Lets promises run on. Timers under `mock.timers` do not advance. */
export async function settle(): Promise<void> {
  for (let tick = 0; tick < 5; tick++) await nextTick();
}
