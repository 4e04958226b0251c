/** The pages at `/` and `/docs`: their files, which web/build.js writes, and whether `/` is served. */

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { UsageError } from 'toponym-files/errors/errors';
import { ROOT } from 'toponym-files/root';
import { createStaticPage } from '../http/response/send.ts';
import type { Pages } from '../http/service-routes.ts';
import { isLocalAddress, type ListenAddress } from './listen/listen-address.ts';

export interface PageSettings {
  /** Undefined: only if nobody but this machine can connect. */
  readonly page: boolean | undefined;
  readonly behindProxy: boolean;
}

export function isPageServed(address: ListenAddress, { page, behindProxy }: PageSettings): boolean {
  if (page === true && !hasPageFiles()) {
    throw new UsageError('--page: the page has not been built. In a clone, run "node web/build.js".');
  }
  return page ?? (isLocalAddress(address) && !behindProxy && hasPageFiles());
}

const FOLDER = fileURLToPath(new URL('web/dist', ROOT));
const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** The script of `<toponym-search>`, for pages of other origins. */
const ELEMENT_FILE = 'toponym-search.js';

export function hasPageFiles(): boolean {
  return ['index.html', `${ELEMENT_FILE}.gz`].every((name) => existsSync(join(FOLDER, name))); // an older build lacks the script
}

/** Undefined if the pages are not built. Without a key, the page at `/` is left out. */
export function readPages(key: string | undefined): Pages | undefined {
  if (!hasPageFiles()) return undefined;
  const names = readdirSync(FOLDER).flatMap((file) => (file.endsWith('.gz') ? [file.slice(0, -'.gz'.length)] : []));
  const read = (name: string) => {
    const gzip = readFileSync(join(FOLDER, `${name}.gz`));
    return createStaticPage(CONTENT_TYPES[extname(name)] ?? '', { gzip });
  };
  const files = names.filter((name) => name !== ELEMENT_FILE).map((name) => [`/page/${name}`, read(name)] as const);
  const html = new Map([['/docs', readFileSync(join(FOLDER, 'docs.html'), 'utf8')]]);
  if (key !== undefined) html.set('/', readFileSync(join(FOLDER, 'index.html'), 'utf8'));
  return { html, files: new Map(files), element: read(ELEMENT_FILE), key };
}
