/**
 * Health check of a container: exits with 0 if the service is ready, and with 1 and a reason if not.
 * It finds the address in the settings of the container's first process, which is the service.
 */

import { readFileSync } from 'node:fs';
import { errorMessage } from 'toponym-files/errors/errors';
import { resolveSettings } from '../settings/read-settings.ts';
import { readyRequests, send, serveFlags } from './ready-request.ts';

const TIMEOUT_MS = 4000;

try {
  const flags = serveFlags(readFileSync('/proc/1/cmdline', 'utf8'));
  const settings = resolveSettings({ flags, env: process.env, workingFolder: process.cwd() });
  const requests = readyRequests(settings).map(async (request) => {
    const response = await send(request, TIMEOUT_MS);
    response.resume();
    if (response.statusCode !== 200) throw new Error(`/readyz answers ${response.statusCode}`);
  });
  await Promise.any(requests);
} catch (error) {
  const errors: unknown[] = error instanceof AggregateError ? error.errors : [error];
  console.error(`toponym: the service is not ready: ${errors.map(errorMessage).join('; ')}`);
  process.exitCode = 1;
}
