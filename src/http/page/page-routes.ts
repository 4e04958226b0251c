/** The page at `/`: its HTML, with the facts that its scripts need, and its files. */
import type { Engine } from '../../engine/engine.ts';
import { countPageRequest, type RateLimitRules } from '../admission.ts';
import type { Route } from '../request-listener.ts';
import { createStaticPage, type StaticPage, sendStaticPage } from '../response/static-page.ts';
import type { PageFacts } from './page-facts.ts';

export interface Page {
  /** HTML that contains FACTS_PLACE once. */
  readonly html: string;
  /** By path, such as `/page/map-ABCD.js`. Their names change with their content. */
  readonly files: ReadonlyMap<string, StaticPage>;
  /** The page's API key. */
  readonly key: string;
}

export interface PageSettings extends RateLimitRules {
  readonly engine: () => Engine;
  readonly keyHeader: string;
  readonly version: string;
  /** Whether clients must be told to accept the certificate. */
  readonly isSelfSigned?: () => boolean;
}

const FACTS_PLACE = '<!-- facts -->';
const HTML_TYPE = 'text/html; charset=utf-8';
const CONTENT_SECURITY_POLICY = [
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

export function pageRoutes(page: Page, settings: PageSettings): Route[] {
  let cached: { readonly engine: Engine; readonly isSelfSigned: boolean; readonly html: StaticPage } | undefined;
  const sendHtml: Route['handle'] = (exchange) => {
    countPageRequest(settings, exchange);
    const engine = settings.engine();
    const isSelfSigned = settings.isSelfSigned?.() ?? false;
    if (cached?.engine !== engine || cached.isSelfSigned !== isSelfSigned) {
      const html = createStaticPage(HTML_TYPE, withFacts(page, { ...settings, isSelfSigned }));
      cached = { engine, isSelfSigned, html };
    }
    exchange.responseHeaders.push('content-security-policy', CONTENT_SECURITY_POLICY);
    sendStaticPage(exchange, cached.html);
  };
  const files = [...page.files].map(([path, file]): Route => {
    const handle: Route['handle'] = (exchange) => sendStaticPage(exchange, file, { isPermanent: true });
    return { method: 'GET', path, handle };
  });
  return [{ method: 'GET', path: '/', handle: sendHtml }, ...files];
}

function withFacts(
  { html, key }: Page,
  { engine, keyHeader, version, isSelfSigned }: Omit<PageSettings, 'isSelfSigned'> & { isSelfSigned: boolean },
): string {
  const { dataset } = engine();
  const facts: PageFacts = {
    key,
    keyHeader,
    version,
    isSelfSigned,
    dataset: { version: dataset.version, places: dataset.places, attribution: dataset.attribution },
  };
  // a data block: browsers do not execute it, so the Content-Security-Policy allows it
  const json = JSON.stringify(facts).replaceAll('<', '\\u003c');
  return html.replace(FACTS_PLACE, () => `<script type="application/json" id="facts">${json}</script>`);
}
