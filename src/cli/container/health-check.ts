/**
 * Health check of a container: exits with 0 if the service is ready, and with 1 and a reason if not.
 * It finds the address in the settings of the container's first process, which is the service.
 */

import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { request as requestPlain } from 'node:http';
import { type RequestOptions, request as requestTls } from 'node:https';
import { errorMessage } from '../../errors/errors.ts';
import { resolveSettings } from '../settings/read-settings.ts';
import { readyRequests, serveFlags } from './ready-request.ts';

const TIMEOUT_MS = 4000;

try {
  const flags = serveFlags(readFileSync('/proc/1/cmdline', 'utf8'));
  const settings = resolveSettings({ flags, env: process.env, workingFolder: process.cwd() });
  await Promise.any(readyRequests(settings).map(ask));
} catch (error) {
  const errors: unknown[] = error instanceof AggregateError ? error.errors : [error];
  console.error(`toponym: the service is not ready: ${errors.map(errorMessage).join('; ')}`);
  process.exitCode = 1;
}

async function ask(request: RequestOptions): Promise<void> {
  const options = { ...request, agent: false, signal: AbortSignal.timeout(TIMEOUT_MS) };
  const sent = options.protocol === 'http:' ? requestPlain(options) : requestTls(options);
  const [response] = await once(sent.end(), 'response');
  response.resume();
  if (response.statusCode !== 200) throw new Error(`/readyz answers ${response.statusCode}`);
}
