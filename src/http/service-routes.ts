/** Routes without a key: two health checks, the OpenAPI document, and the pages. */
import type { Dataset, Engine } from '../engine/engine.ts';
import { countPageRequest, type RateLimitRules } from './admission.ts';
import { formatData } from './data-age.ts';
import { RequestError } from './errors.ts';
import type { Exchange } from './exchange.ts';
import { type Pages, pageRoutes } from './page/page-routes.ts';
import type { Route } from './request-listener.ts';
import { escapeHtml } from './response/html.ts';
import { JSON_TYPE, sendError, sendResponse } from './response/send.ts';
import { createStaticPage, type StaticPage, sendStaticPage } from './response/static-page.ts';

interface ServiceSettings extends RateLimitRules {
  readonly engine: () => Engine;
  /** Why the service is not ready; undefined if it is ready. */
  readonly notReadyReason: () => string | undefined;
  /** A warning that `/readyz` shows, or an empty string. */
  readonly notice?: () => string;
  readonly keyHeader: string;
  readonly version: string;
  /** The pages at `/` and `/docs`. Without the first, there is a plain front page. */
  readonly pages?: Pages | undefined;
  readonly isSelfSigned?: () => boolean;
  readonly now: () => number;
}

const HTML_TYPE = 'text/html; charset=utf-8';
const CONTENT_SECURITY_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

export function serviceRoutes(settings: ServiceSettings): Route[] {
  const { pages } = settings;
  const sendOpenApi = createOpenApiHandler(settings);
  return [
    { method: 'GET', path: '/healthz', handle: (exchange) => sendJsonText(exchange, '{"status":"alive"}') },
    { method: 'GET', path: '/readyz', handle: (exchange) => sendReadiness(exchange, settings) },
    { method: 'GET', path: '/openapi.json', handle: sendOpenApi },
    ...(pages?.html.has('/') ? [] : [plainFrontPage(settings)]),
    ...(pages === undefined ? [] : pageRoutes(pages, settings)),
  ];
}

function sendReadiness(exchange: Exchange, settings: ServiceSettings): void {
  const reason = settings.notReadyReason();
  if (reason !== undefined) throw new RequestError('not_ready', { message: reason });
  const notice = settings.notice?.() || undefined; // an empty notice is omitted
  sendJsonText(exchange, JSON.stringify({ status: 'ready', data: settings.engine().dataset.version, notice }));
}

function sendJsonText(exchange: Exchange, body: string): void {
  sendResponse(exchange, { status: 200, contentType: JSON_TYPE, body: Buffer.from(body) });
}

/** Imports openapi.ts only on the first request, because that takes 0.2 s. */
function createOpenApiHandler(settings: ServiceSettings): Route['handle'] {
  let openApi: Promise<StaticPage> | undefined;
  return (exchange) => {
    countPageRequest(settings, exchange);
    openApi ??= openApiPage(settings).catch((error: unknown) => {
      openApi = undefined; // the next request tries again
      throw error;
    });
    openApi.then((page) => sendStaticPage(exchange, page)).catch((error: unknown) => sendError(exchange, error));
  };
}

async function openApiPage(settings: ServiceSettings): Promise<StaticPage> {
  const { createOpenApi } = await import('./response/openapi.ts');
  const callsPerMinute = settings.limits.limiter.defaultPerMinute;
  return createStaticPage(JSON_TYPE, JSON.stringify(createOpenApi({ ...settings, callsPerMinute })));
}

function plainFrontPage(settings: ServiceSettings): Route {
  let cached: { readonly dataset: Dataset; readonly day: string; readonly page: StaticPage } | undefined;
  const handle: Route['handle'] = (exchange) => {
    countPageRequest(settings, exchange);
    const { dataset } = settings.engine();
    const now = new Date(settings.now());
    const day = now.toISOString().slice(0, 10); // the page shows the age of the data
    if (cached?.dataset !== dataset || cached.day !== day) {
      cached = { dataset, day, page: createStaticPage(HTML_TYPE, frontPage(dataset, { ...settings, now })) };
    }
    exchange.responseHeaders.push('content-security-policy', CONTENT_SECURITY_POLICY);
    sendStaticPage(exchange, cached.page);
  };
  return { method: 'GET', path: '/', handle };
}

interface FrontPageFacts {
  readonly keyHeader: string;
  readonly version: string;
  readonly now: Date;
}

/** The plain page at `/`: a description, an example call and the attribution that licences require. */
function frontPage(dataset: Dataset, { keyHeader, version, now }: FrontPageFacts): string {
  const credits = dataset.attribution.map((line) => `<li>${escapeHtml(line)}</li>`).join('');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Toponym</title>
<style>body{font:1rem/1.5 system-ui,sans-serif;max-width:44rem;margin:3rem auto;padding:0 1rem}pre{overflow-x:auto}</style>
</head>
<body>
<main>
<h1>Toponym ${escapeHtml(version)}</h1>
<p>Place search: ${dataset.places.toLocaleString('en')} cities, towns and villages, by name, by identifier and by coordinates.</p>
<pre>curl -H '${escapeHtml(keyHeader)}: YOUR_KEY' -d query=paris https://HOST/api/1/query</pre>
<p>The <a href="/openapi.json">OpenAPI document</a> describes the three endpoints, their options and errors.</p>
<h2>Data</h2>
<p>${escapeHtml(formatData(dataset.version, now))}. Version ${escapeHtml(dataset.version)}.</p>
<ul>${credits}
<li><a href="https://db-ip.com">IP Geolocation by DB-IP</a>, CC BY 4.0, if the embedded data is used to locate addresses</li>
</ul>
</main>
</body>
</html>
`;
}
