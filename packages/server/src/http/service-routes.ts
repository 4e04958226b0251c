/**
 * Routes without a key: two health checks, the OpenAPI document, the script of `<toponym-search>`, and the
 * pages at `/` and `/docs` with their files. The page at `/` shows its own API key, so that key keeps nobody out: it tells the page's
 * calls from those of others, works only from the page's own origin, and has its own rate limit.
 */
import { builtInKey, OWN_ORIGIN } from 'toponym-access/keys/key-record';
import type { KeyLookup } from 'toponym-access/keys/key-store';
import type { Dataset } from 'toponym-engine/engine';
import { formatData } from 'toponym-engine/index-file/data-age';
import { type AdmissionRules, countPageRequest, type RateLimitRules } from './admission.ts';
import type { PlaceSources } from './api-handler.ts';
import { RequestError } from './errors.ts';
import type { Exchange } from './exchange.ts';
import { JSON_TYPE } from './headers.ts';
import type { PageFacts } from './page-facts.ts';
import { readinessJson } from './readiness.ts';
import type { Route } from './request-listener.ts';
import { escapeHtml } from './response/json-writer.ts';
import { createOpenApi } from './response/openapi.ts';
import { createStaticPage, integrityOf, type StaticPage, sendResponse, sendStaticPage } from './response/send.ts';

export interface Pages {
  /** HTML by path: `/` and `/docs`. It contains FACTS_PLACE once. */
  readonly html: ReadonlyMap<string, string>;
  /** By path, such as `/page/map-ABCD.js`. Their names change with their content. */
  readonly files: ReadonlyMap<string, StaticPage>;
  /** The script of `<toponym-search>`, for pages of other origins. */
  readonly element: StaticPage;
  /** The API key of the pages; undefined if the page at `/` is off. */
  readonly key: string | undefined;
}

export interface ServiceOptions {
  /** Why the service is not ready; undefined if it is ready. */
  readonly notReadyReason: () => string | undefined;
  /** A warning that `/readyz` shows, or an empty string. */
  readonly notice?: () => string;
  readonly version: string;
  /** The pages at `/` and `/docs`. Without the first, there is a plain front page. */
  readonly pages?: Pages | undefined;
  /** Whether the certificate is self-signed, for the page; false by default. */
  readonly isSelfSigned?: () => boolean;
}

type ServiceSettings = ServiceOptions &
  Pick<PlaceSources, 'engine'> &
  RateLimitRules &
  Pick<AdmissionRules, 'keyHeader' | 'now'>;

const PAGE_KEY = builtInKey('page', {
  label: 'the page at /',
  perMinute: 300, // enough to type, move the map and click without a pause
  allowedOrigins: [OWN_ORIGIN],
});

const FACTS_PLACE = '<!-- facts -->';
const ICON_PATH = '/page/icon-';
const HTML_TYPE = 'text/html; charset=utf-8';
export const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "worker-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');
const PLAIN_PAGE_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** The keys of a store, and that of the page, whose text is `pageKey`. No store has it. */
export function withPageKey(keys: KeyLookup, pageKey: string | undefined): KeyLookup {
  if (pageKey === undefined) return keys;
  return {
    find: (keyText) => (keyText === pageKey ? PAGE_KEY : keys.find(keyText)),
    touch: (id, nowMs) => {
      if (id !== PAGE_KEY.id) keys.touch(id, nowMs);
    },
  };
}

export function serviceRoutes(settings: ServiceSettings): Route[] {
  const { pages } = settings;
  return [
    { method: 'GET', path: '/healthz', handle: (exchange) => sendJsonText(exchange, '{"status":"alive"}') },
    { method: 'GET', path: '/readyz', handle: (exchange) => sendReadiness(exchange, settings) },
    openApiRoute(settings),
    ...(pages?.html.has('/') ? [] : [plainFrontPage(settings)]),
    ...(pages === undefined ? [] : pageRoutes(pages, settings)),
  ];
}

function sendReadiness(exchange: Exchange, settings: ServiceSettings): void {
  const reason = settings.notReadyReason();
  if (reason !== undefined) throw new RequestError('not_ready', reason);
  sendJsonText(exchange, readinessJson(settings.engine().dataset.version, settings.notice?.()));
}

function sendJsonText(exchange: Exchange, body: string): void {
  sendResponse(exchange, { status: 200, contentType: JSON_TYPE, body: Buffer.from(body) });
}

function openApiRoute(settings: ServiceSettings): Route {
  let page: StaticPage | undefined;
  const handle: Route['handle'] = (exchange) => {
    countPageRequest(settings, exchange);
    const callsPerMinute = settings.limits.limiter.defaultPerMinute;
    page ??= createStaticPage(JSON_TYPE, JSON.stringify(createOpenApi({ ...settings, callsPerMinute })));
    sendStaticPage(exchange, page);
  };
  return { method: 'GET', path: '/openapi.json', handle };
}

function pageRoutes(pages: Pages, settings: ServiceSettings): Route[] {
  const fileRoute = (path: string, file: StaticPage, isPermanent: boolean): Route => {
    const handle: Route['handle'] = (exchange) => {
      countPageRequest(settings, exchange);
      sendStaticPage(exchange, file, { isPermanent });
    };
    return { method: 'GET', path, handle };
  };
  const { keyHeader, version } = settings;
  const elementIntegrity = integrityOf(pages.element);
  const html = [...pages.html].map(([path, text]) =>
    htmlRoute(path, settings, {
      policy: CONTENT_SECURITY_POLICY,
      state: () => settings.isSelfSigned?.() ?? false,
      render: ({ version: dataVersion, places, attribution }, isSelfSigned) => {
        const dataset = { version: dataVersion, places, attribution };
        const facts = { keyHeader, version, isSelfSigned, dataset, elementIntegrity };
        return withFacts(text, { ...facts, key: pages.key ?? '' });
      },
    }),
  );
  const files = [...pages.files].map(([path, file]) => fileRoute(path, file, true));
  const element = [
    fileRoute('/toponym-search.js', pages.element, false),
    fileRoute(`/toponym-search-${version}.js`, pages.element, true),
  ];
  // browsers request this path where a page names no icon
  const icons = [...pages.files].filter(([path]) => path.startsWith(ICON_PATH));
  return [...html, ...files, ...element, ...icons.map(([, icon]) => fileRoute('/favicon.ico', icon, false))];
}

function withFacts(html: string, facts: PageFacts): string {
  // a data block: browsers do not execute it, so the Content-Security-Policy allows it
  const json = JSON.stringify(facts).replaceAll('<', '\\u003c');
  return html.replace(FACTS_PLACE, () => `<script type="application/json" id="facts">${json}</script>`);
}

function plainFrontPage(settings: ServiceSettings): Route {
  return htmlRoute('/', settings, {
    policy: PLAIN_PAGE_POLICY,
    state: () => new Date(settings.now()).toISOString().slice(0, 10), // the page shows the age of the data
    render: (dataset, day) => frontPage(dataset, settings, new Date(day)),
  });
}

interface HtmlPage<State> {
  readonly policy: string;
  /** What the page depends on, apart from the data. */
  readonly state: () => State;
  readonly render: (dataset: Dataset, state: State) => string;
}

function htmlRoute<State>(path: string, settings: ServiceSettings, page: HtmlPage<State>): Route {
  // not the engine, which would stay in memory after new data has replaced it
  let cached: { readonly dataset: Dataset; readonly state: State; readonly page: StaticPage } | undefined;
  const handle: Route['handle'] = (exchange) => {
    countPageRequest(settings, exchange);
    const { dataset } = settings.engine();
    const state = page.state();
    if (cached?.dataset !== dataset || cached.state !== state) {
      cached = { dataset, state, page: createStaticPage(HTML_TYPE, page.render(dataset, state)) };
    }
    exchange.responseHeaders.push('content-security-policy', page.policy);
    sendStaticPage(exchange, cached.page);
  };
  return { method: 'GET', path, handle };
}

/** The plain page at `/`: a description, an example call and the attribution that licences require. */
function frontPage(dataset: Dataset, { keyHeader, version }: ServiceSettings, now: Date): string {
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
