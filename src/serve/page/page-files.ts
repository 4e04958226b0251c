/** Reads the files of the pages at `/` and `/docs`, which web/build.js writes and the package contains. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Pages } from '../../http/page/page-routes.ts';
import { createStaticPage } from '../../http/response/static-page.ts';

/** The same path from src/serve/page and from dist/serve/page. */
const FOLDER = fileURLToPath(new URL('../../../web/dist', import.meta.url));
const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
};

export function hasPageFiles(): boolean {
  return existsSync(join(FOLDER, 'index.html'));
}

/** Undefined if the pages are not built. Without a key, the page at `/` is left out. */
export function readPages(key: string | undefined): Pages | undefined {
  if (!hasPageFiles()) return undefined;
  const names = readdirSync(FOLDER).filter((name) => CONTENT_TYPES[extname(name)] !== undefined);
  const files = names.map((name) => {
    const gzip = readFileSync(join(FOLDER, `${name}.gz`));
    return [`/page/${name}`, createStaticPage(CONTENT_TYPES[extname(name)] ?? '', { gzip })] as const;
  });
  const html = new Map([['/docs', readFileSync(join(FOLDER, 'docs.html'), 'utf8')]]);
  if (key !== undefined) html.set('/', readFileSync(join(FOLDER, 'index.html'), 'utf8'));
  return { html, files: new Map(files), key };
}

/** The data of the page's map, as TopoJSON. Undefined if the pages are not built. */
export function readWorldMap(): string | undefined {
  if (!hasPageFiles()) return undefined;
  const name = readdirSync(FOLDER).find((file) => /^world-.*\.json$/.test(file));
  return name === undefined ? undefined : readFileSync(join(FOLDER, name), 'utf8');
}
