/**
 * What the service says about itself: health, readiness, the OpenAPI document, a front page. None needs a key. The two
 * pages have a limit per address, counted apart from calls; health checks have none.
 */
import type { FastifyInstance, onRequestHookHandler } from 'fastify';
import type { Dataset, Engine } from '../engine/engine.ts';
import { limitPages, type PageLimit } from './admission.ts';
import { RequestError } from './errors.ts';
import { frontPage } from './response/front-page.ts';
import { createStaticPage, type StaticPage, sendStaticPage } from './response/static-page.ts';

export interface ServiceSettings extends PageLimit {
  readonly engine: () => Engine;
  readonly isReady: () => true | string;
  readonly notice?: () => string;
  readonly serviceName: string;
  readonly keyHeader: string;
  readonly version: string;
}

const JSON_TYPE = 'application/json; charset=utf-8';
const HTML_TYPE = 'text/html; charset=utf-8';
const CONTENT_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

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

  const onRequest = pageLimit(settings);
  let openApi: Promise<StaticPage> | undefined;
  app.get('/openapi.json', { onRequest }, async (request, reply) => {
    openApi ??= openApiPage(settings).catch((error: unknown) => {
      openApi = undefined;
      throw error;
    });
    sendStaticPage(request, reply, await openApi);
    return reply;
  });

  let front: { readonly dataset: Dataset; readonly page: StaticPage } | undefined;
  app.get('/', { onRequest }, (request, reply) => {
    const { dataset } = settings.engine();
    if (front?.dataset !== dataset) {
      front = { dataset, page: createStaticPage(HTML_TYPE, frontPage(dataset, settings)) };
    }
    sendStaticPage(request, reply.header('content-security-policy', CONTENT_POLICY), front.page);
  });
}

function pageLimit(settings: ServiceSettings): onRequestHookHandler {
  return (request, _reply, next) => {
    const { headers, error } = limitPages(settings, { socket: request.raw.socket, headers: request.headers });
    request.answerHeaders = headers;
    next(error);
  };
}

/** The schemas in it are loaded when somebody asks: they take longer to load than the rest of a start. */
async function openApiPage(settings: ServiceSettings): Promise<StaticPage> {
  const { createOpenApi } = await import('./response/openapi.ts');
  return createStaticPage(JSON_TYPE, JSON.stringify(createOpenApi(settings)));
}
