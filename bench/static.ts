/**
 * `node bench/static.ts [FOLDER]`: how fast a search box without a server is in Chromium. FOLDER is one that
 * `toponym build --static` has written; without it, cities of 15,000 people and more are built. Times are medians of
 * several first visits, in new browser contexts. The Worker decompresses while the file arrives, so a fast line leaves
 * more to do after the last byte.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { gunzipSync, gzipSync } from 'node:zlib';
import { openEngine } from 'toponym-engine/open-engine';
import { openBrowser } from '../test/support/chromium.ts';
import { ByteReader } from '../web/static/byte-reader.ts';
import { readIndex } from '../web/static/read-index.ts';
import { percentile } from './statistics.ts';

const VISITS = 7;
/** In Mbit/s. The last is as fast as this machine is. */
const RATES = [50, 200, Number.POSITIVE_INFINITY];
const CHUNK_BYTES = 1 << 16;
const QUERIES =
  'berlin;b;san;sprngfield il;new yrk;münchen;東京;paris tx;москва;saint petersburg;kair egipt;rio de'.split(';');
const TYPES: Readonly<Record<string, string>> = { '.js': 'text/javascript', '.html': 'text/html' };

/** Without the element, which would load the index too. */
const PAGE = '<!doctype html><title>x</title><link rel="icon" href="data:,">';

/** Talks to the Worker as packages/client/src/static.ts does. `now` is in milliseconds since 1970. */
const VISIT = `(async () => {
  const now = () => performance.timeOrigin + performance.now();
  const open = async () => {
    const worker = new Worker('toponym-static.js');
    let id = 0;
    const call = (endpoint, form) => new Promise((resolve) => {
      worker.onmessage = ({ data }) => resolve(data);
      worker.postMessage({ id: ++id, index: location.origin + '/places.toponym', endpoint, form });
    });
    const opened = await call('open', '');
    if (opened.code) throw new Error(opened.message);
    return { worker, call, readyAt: now() };
  };
  const ask = async (call, text) => {
    const startedAt = now();
    const { body } = await call('query', 'hitsPerPage=5&query=' + encodeURIComponent(text));
    return { ms: now() - startedAt, ids: JSON.parse(body).hits.map(({ objectID }) => objectID) };
  };
  const first = await open();
  const firstAnswer = (await ask(first.call, ${JSON.stringify(QUERIES[0])})).ms;
  const answers = [];
  for (const text of ${JSON.stringify(QUERIES)}) answers.push(await ask(first.call, text));
  while ((await (await caches.open('toponym-static')).keys()).length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
  first.worker.terminate();
  const startedAt = now();
  const again = await open();
  again.worker.terminate();
  return { readyAt: first.readyAt, firstAnswer, answers, stored: again.readyAt - startedAt };
})()`;

interface Visit {
  readonly readyAt: number;
  readonly firstAnswer: number;
  readonly answers: readonly { readonly ms: number; readonly ids: readonly string[] }[];
  readonly stored: number;
}

function median(values: readonly number[]): number {
  return percentile(
    values.toSorted((a, b) => a - b),
    0.5,
  );
}

/** Returns the folder. */
function build(): string {
  const made = mkdtempSync(join(tmpdir(), 'toponym-static-'));
  const command = fileURLToPath(new URL('../packages/toponym/src/cli/main.js', import.meta.url));
  execFileSync(process.execPath, [command, 'build', '--min-population', '15000', '--static', made], {
    stdio: 'inherit',
  });
  return made;
}

const [given] = process.argv.slice(2);
const folder = given ?? build();
let sentAt = 0;
let rate = 0;

/** Sends a file at the rate. */
async function send(file: Uint8Array, response: ServerResponse): Promise<void> {
  const startedAt = performance.now();
  for (let at = 0; at < file.length; at += CHUNK_BYTES) {
    const waitMs = startedAt + (at * 8) / (rate * 1000) - performance.now();
    if (waitMs > 0) await setTimeout(waitMs);
    response.write(file.subarray(at, at + CHUNK_BYTES));
  }
  response.end();
}

const server = createServer((request, response) => {
  const path = join(folder, request.url === '/' ? 'index.html' : new URL(request.url ?? '', 'http://x').pathname);
  const isStored = request.headers['if-none-match'] !== undefined;
  response.writeHead(isStored ? 304 : 200, {
    ...{ etag: '"1"', 'cache-control': 'no-store', 'content-type': TYPES[extname(path)] ?? 'application/octet-stream' },
  });
  response.on('finish', () => {
    if (path.endsWith('.toponym') && !isStored) sentAt = performance.timeOrigin + performance.now();
  });
  if (isStored || request.url === '/') response.end(isStored ? undefined : PAGE);
  else void send(readFileSync(path), response);
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const closing: (() => unknown)[] = [];
const browser = await openBrowser({ after: (done) => closing.push(done as () => unknown) });
const visits: (Visit & { readonly rate: number; readonly ready: number })[] = [];
for (let i = 0; i < VISITS * RATES.length; i++) {
  rate = RATES[i % RATES.length]!;
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  const visit = await page.evaluate<Visit>(VISIT);
  visits.push({ ...visit, rate, ready: visit.readyAt - sentAt });
  await context.close();
}
for (const close of closing) await close();
server.close();

const packed = readFileSync(join(folder, 'places.toponym'));
const engine = openEngine(await readIndex(new ByteReader(new Blob([gunzipSync(packed)]).stream())));
const idsInNode = QUERIES.map((text) => engine.search({ text, limit: 5 }).hits.map(({ record }) => record.objectID));
const same = QUERIES.filter((_, i) => visits.every(({ answers }) => `${answers[i]?.ids}` === `${idsInNode[i]}`));
const script = readFileSync(join(folder, 'toponym-static.js'));
const ms = (read: (visit: (typeof visits)[number]) => number, of = visits) => {
  const values = of.map(read);
  return `${median(values).toFixed(0)} ms (${Math.min(...values).toFixed(0)} to ${Math.max(...values).toFixed(0)})`;
};
console.log(`places                                        ${engine.dataset.places}
index, compressed                             ${(packed.length / 1e6).toFixed(2)} MB
engine, compressed                            ${(gzipSync(script).length / 1e3).toFixed(0)} KB
${RATES.map((each) => {
  const name = `from the last byte to ready, ${each === Number.POSITIVE_INFINITY ? 'no limit' : `${each} Mbit/s`}`;
  const of = visits.filter((visit) => visit.rate === each);
  return `${name.padEnd(45)} ${ms(({ ready }) => ready, of)}`;
}).join('\n')}
from a new Worker to ready, file stored       ${ms(({ stored }) => stored)}
first answer, asked at that moment            ${ms(({ firstAnswer }) => firstAnswer)}
later answers, median of all                  ${median(visits.flatMap(({ answers }) => answers.map((each) => each.ms))).toFixed(1)} ms
same hits as in Node.js                       ${same.length} of ${QUERIES.length} queries`);
if (given === undefined) rmSync(folder, { recursive: true });
