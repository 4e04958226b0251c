/** Asks the service on this machine whether it is a Toponym, of which version, and ready. */
import type { RequestOptions } from 'node:https';
import { readyRequest } from '../container/ready-request.ts';
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
    try {
      const request = readyRequest({ ...settings, metricsPort });
      const state = parseReadiness(await httpGet(request));
      if (state !== undefined) return { ...state, version: await readVersion(request, metricsPort !== undefined) };
    } catch {
      // no answer there, or the service cannot be asked there
    }
  }
  return undefined;
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
