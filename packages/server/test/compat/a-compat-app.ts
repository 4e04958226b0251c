/** An application with adapters, and how to call them. */
import type { TestContext } from 'node:test';
import { loadAdapters } from '../../src/compat/compat-routes.ts';
import type { AdapterName } from '../../src/compat/compat-settings.ts';
import type { AppOptions } from '../../src/http/app.ts';
import { anApp, type TestApp, type TestRequest, type TestResponse } from '../http/an-app.ts';

export interface CompatApp extends TestApp {
  /** Sends a GET request with the key as a parameter. */
  get(url: string, options?: Partial<TestRequest>): Promise<TestResponse>;
}

export async function aCompatApp(
  t: TestContext,
  adapters: readonly AdapterName[],
  options: Partial<AppOptions> = {},
): Promise<CompatApp> {
  const app = anApp(t, { findCompatRoutes: await loadAdapters(adapters), ...options });
  const get = (url: string, options: Partial<TestRequest> = {}) =>
    app.request({ url: `${url}${url.includes('?') ? '&' : '?'}key=${app.key}`, ...options });
  return { ...app, get };
}
