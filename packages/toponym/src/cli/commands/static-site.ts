/** What `toponym build --static` writes: a folder with an index and a page that any static host can serve. */
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { UsageError } from 'toponym-files/errors/errors';
import { readIndexFile } from 'toponym-files/index-file';
import { replaceFile } from 'toponym-files/replace-file';
import { ROOT } from 'toponym-files/root';
import { packIndex } from 'toponym-gazetteer/build/pack-index';
import { writeOutputFile } from 'toponym-gazetteer/datasets/check-output';
import { escapeHtml } from 'toponym-server/http/response/json-writer';

/** The name that the page knows. */
const INDEX_FILE = 'places.toponym';
const PAGE_FILE = 'index.html';

const FOLDER = fileURLToPath(ROOT);
/** Which files to copy to which names. */
const COPIES = [
  ['web/dist/toponym-search.js', 'toponym-search.js'],
  ['web/dist/static/toponym-static.js', 'toponym-static.js'],
  ['web/dist/static/offline.js', 'offline.js'],
  ['NOTICE', 'NOTICE.txt'],
] as const;

export interface StaticSite {
  readonly folder: string;
  readonly files: readonly string[];
  /** Of the index as it is downloaded. */
  readonly indexBytes: number;
}

/** Creates the folder. Returns the path of the index in it. Throws UsageError. */
export async function prepareStaticSite(folder: string): Promise<string> {
  if (!existsSync(join(FOLDER, 'web/dist/static', PAGE_FILE))) {
    throw new UsageError('--static: the page has not been built. In a clone, run "node web/build.js".');
  }
  await writeOutputFile(folder, () => void mkdirSync(folder, { recursive: true }), '--static');
  return join(folder, INDEX_FILE);
}

/** Packs the index at this path. A page in the folder stays: users change it. Throws UsageError. */
export async function writeStaticSite(
  folder: string,
  index: string,
  attribution: readonly string[],
): Promise<StaticSite> {
  const packed = gzipSync(Buffer.concat(packIndex(readIndexFile(index))), { level: 9 });
  const page = join(folder, PAGE_FILE);
  const hasPage = existsSync(page);
  const write = () => {
    replaceFile(join(folder, INDEX_FILE), [packed]);
    for (const [source, name] of COPIES) copyFileSync(join(FOLDER, source), join(folder, name));
    if (!hasPage) writeFileSync(page, pageWith(attribution));
  };
  await writeOutputFile(folder, write, '--static');
  const names = [INDEX_FILE, ...COPIES.map(([, name]) => name)];
  return { folder, files: hasPage ? names : [PAGE_FILE, ...names], indexBytes: packed.length };
}

function pageWith(attribution: readonly string[]): string {
  const page = readFileSync(join(FOLDER, 'web/dist/static', PAGE_FILE), 'utf8');
  return page.replace(/(?<=Places: <span>).*(?=<\/span>)/, () => attribution.map(escapeHtml).join('; '));
}
