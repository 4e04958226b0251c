/** Asks the service on this machine whether it is a Toponym, of which version, and ready. */
import type { RequestOptions } from 'node:https';
import { readyRequests } from '../container/ready-request.ts';
import type { Settings } from '../settings/settings.ts';
import { type HttpAnswer, httpGet } from './http-get.ts';

export interface RunningToponym {
  readonly version: string;
  /** Why the service is not ready; empty if it is. */
  readonly readiness: string;
  /** The notice of `/readyz`; empty if there is none. */
  readonly notice: string;
}

/** Returns undefined if no Toponym answers. */
export async function askService(settings: Settings): Promise<RunningToponym | undefined> {
  // a running service may have been started without metrics
  for (const metricsPort of new Set([settings.metricsPort, undefined])) {
    const answers = requestsTo({ ...settings, metricsPort }).map((request) => ask(request, metricsPort !== undefined));
    const found = await Promise.any(answers).catch(() => undefined); // no answer there
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Empty if the service cannot be asked there. */
function requestsTo(settings: Settings): RequestOptions[] {
  try {
    return readyRequests(settings);
  } catch {
    return [];
  }
}

/** Throws if no Toponym answers. */
async function ask(request: RequestOptions, hasMetrics: boolean): Promise<RunningToponym> {
  const state = parseReadiness(await httpGet(request));
  if (state === undefined) throw new Error('the answer is not that of a Toponym');
  return { ...state, version: await readVersion(request, hasMetrics) };
}

function parseReadiness({ status, body }: HttpAnswer): Omit<RunningToponym, 'version'> | undefined {
  try {
    const answer = JSON.parse(body) as { status?: unknown; notice?: string; code?: unknown; message?: string };
    if (status === 200 && answer.status === 'ready') return { readiness: '', notice: answer.notice ?? '' };
    if (status === 503 && answer.code === 'not_ready')
      return { readiness: answer.message ?? 'no reason given', notice: '' };
    return undefined;
  } catch {
    return undefined; // not JSON
  }
}

async function readVersion(readyOptions: RequestOptions, hasMetrics: boolean): Promise<string> {
  const { body } = await httpGet({ ...readyOptions, path: hasMetrics ? '/metrics' : '/openapi.json' });
  const pattern = hasMetrics ? /^toponym_build_info\{version="([^"]+)"/m : /"version":"([^"]+)"/;
  return pattern.exec(body)?.[1] ?? 'of unknown version';
}
