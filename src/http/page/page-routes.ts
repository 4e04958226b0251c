/** The pages at `/` and `/docs`: their HTML, with the facts that their scripts need, and their files. */
import type { Dataset, Engine } from '../../engine/engine.ts';
import { countPageRequest, type RateLimitRules } from '../admission.ts';
import type { Route } from '../request-listener.ts';
import { createStaticPage, type StaticPage, sendStaticPage } from '../response/static-page.ts';
import type { PageFacts } from './page-facts.ts';

export interface Pages {
  /** HTML by path: `/` and `/docs`. It contains FACTS_PLACE once. */
  readonly html: ReadonlyMap<string, string>;
  /** By path, such as `/page/map-ABCD.js`. Their names change with their content. */
  readonly files: ReadonlyMap<string, StaticPage>;
  /** The API key of the pages; undefined if the page at `/` is off. */
  readonly key: string | undefined;
}

interface PageSettings extends RateLimitRules {
  readonly engine: () => Engine;
  readonly keyHeader: string;
  readonly version: string;
  /** Whether clients must be told to accept the certificate. */
  readonly isSelfSigned?: () => boolean;
}

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

export function pageRoutes(pages: Pages, settings: PageSettings): Route[] {
  const fileRoute = (path: string, file: StaticPage, { isPermanent }: { readonly isPermanent: boolean }): Route => {
    const handle: Route['handle'] = (exchange) => {
      countPageRequest(settings, exchange);
      sendStaticPage(exchange, file, { isPermanent });
    };
    return { method: 'GET', path, handle };
  };
  const files = [...pages.files].map(([path, file]) => fileRoute(path, file, { isPermanent: true }));
  // browsers request this path where a page names no icon
  const icons = [...pages.files].filter(([path]) => path.startsWith(ICON_PATH));
  const favicon = icons.map(([, icon]) => fileRoute('/favicon.ico', icon, { isPermanent: false }));
  const html = [...pages.html].map(([path, text]) => htmlRoute(path, text, { key: pages.key, settings }));
  return [...html, ...files, ...favicon];
}

interface HtmlContext {
  readonly key: string | undefined;
  readonly settings: PageSettings;
}

function htmlRoute(path: string, html: string, { key, settings }: HtmlContext): Route {
  // not the engine, which would stay in memory after new data has replaced it
  let cached: { readonly dataset: Dataset; readonly isSelfSigned: boolean; readonly page: StaticPage } | undefined;
  const handle: Route['handle'] = (exchange) => {
    countPageRequest(settings, exchange);
    const { dataset } = settings.engine();
    const isSelfSigned = settings.isSelfSigned?.() ?? false;
    if (cached?.dataset !== dataset || cached.isSelfSigned !== isSelfSigned) {
      const { keyHeader, version } = settings;
      const page = createStaticPage(
        HTML_TYPE,
        withFacts(html, { key: key ?? '', keyHeader, version, isSelfSigned, dataset }),
      );
      cached = { dataset, isSelfSigned, page };
    }
    exchange.responseHeaders.push('content-security-policy', CONTENT_SECURITY_POLICY);
    sendStaticPage(exchange, cached.page);
  };
  return { method: 'GET', path, handle };
}

function withFacts(html: string, { dataset: { version, places, attribution }, ...others }: PageFacts): string {
  const facts: PageFacts = { ...others, dataset: { version, places, attribution } };
  // a data block: browsers do not execute it, so the Content-Security-Policy allows it
  const json = JSON.stringify(facts).replaceAll('<', '\\u003c');
  return html.replace(FACTS_PLACE, () => `<script type="application/json" id="facts">${json}</script>`);
}
