/**
 * What the service says about itself: health, readiness, the OpenAPI document, a front page. No key, no limit.
 */
import type { FastifyInstance } from 'fastify';
import type { Engine } from '../engine/engine.ts';
import { RequestError } from './errors.ts';
import { frontPage } from './front-page.ts';

export interface ServiceSettings {
  readonly engine: () => Engine;
  readonly isReady: () => true | string;
  readonly notice?: () => string;
  readonly serviceName: string;
  readonly keyHeader: string;
  readonly version: string;
}

const JSON_TYPE = 'application/json; charset=utf-8';

export function registerServiceRoutes(app: FastifyInstance, settings: ServiceSettings): void {
  app.get('/healthz', (_request, reply) => {
    reply.type(JSON_TYPE).send('{"status":"alive"}');
  });

  app.get('/readyz', (_request, reply) => {
    const ready = settings.isReady();
    if (ready !== true) throw new RequestError('not_ready', { message: ready });
    const notice = settings.notice?.() || undefined;
    reply.type(JSON_TYPE).send(JSON.stringify({ status: 'ready', notice }));
  });

  let openApi: Promise<string> | undefined;
  app.get('/openapi.json', async (_request, reply) => {
    openApi ??= openApiText(settings);
    return reply.type(JSON_TYPE).send(await openApi);
  });

  app.get('/', (_request, reply) => {
    reply
      .type('text/html; charset=utf-8')
      .header(
        'content-security-policy',
        "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      )
      .send(frontPage(settings.engine().dataset, settings));
  });
}

/** Loaded when somebody asks: the schemas in it take longer to load than all of a start should. */
async function openApiText(settings: ServiceSettings): Promise<string> {
  const { createOpenApi } = await import('./openapi.ts');
  return JSON.stringify(createOpenApi(settings));
}
