import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import type { Page } from 'playwright-core';
import { openEngine } from 'toponym-engine/open-engine';
import { packIndex } from 'toponym-gazetteer/build/pack-index';
import { ENDPOINTS } from 'toponym-server/http/endpoints';
import { readOptions } from 'toponym-server/http/request/read-options';
import { type ByteString, textFromByteString } from 'toponym-server/http/response/json-writer';
import type { Hits } from '../../packages/client/src/api-types.ts';
import { servePlainHttp } from '../../packages/gazetteer/test/fetch/file-server.ts';
import { ensurePage } from '../../web/build.js';
import { anIndex, aPlace } from '../support/an-engine.ts';
import { inChromium, openBrowser, STEP_MS } from '../support/chromium.ts';
import { CALL_PAUSE_MS, waitUntil } from '../support/deadline.ts';

await ensurePage();
const dist = (name: string) => readFileSync(new URL(`../../web/dist/${name}`, import.meta.url));
const source = (name: string) => fileURLToPath(new URL(`../../packages/client/src/${name}`, import.meta.url));

const PLACES = [
  aPlace({ id: 'G1', name: 'Springfield', country: 'US', admin1: 'US.IL', admin2: 'US.IL.167', population: 116_000 }),
  aPlace({ id: 'G2', name: 'Springfield', country: 'US', admin1: 'US.MO', lat: 37.2, lng: -93.3, population: 160_000 }),
  aPlace({
    id: 'G3',
    name: 'München',
    country: 'DE',
    alternateNames: [{ value: 'Munich', kind: 'alternate', language: 'en' }, '慕尼黑'],
  }),
  aPlace({ id: 'G4', name: 'Paris', lat: 48.85, lng: 2.35, population: 2_100_000 }),
];
const index = await anIndex(PLACES);
const plain = Buffer.from(new Uint8Array(index));
const packed = (bytes: SharedArrayBuffer) => gzipSync(Buffer.concat(packIndex(bytes)));
const TYPES: Readonly<Record<string, string>> = {
  js: 'text/javascript',
  html: 'text/html',
  toponym: 'application/octet-stream',
};

interface Site {
  readonly url: string;
  /** Contents by path; a promise is awaited. */
  readonly files: Map<string, Buffer | string | Promise<Buffer>>;
  /** Paths of the requests, with the status. */
  readonly served: string[];
  policy: string;
}

/** A static host with ETags. */
async function serveSite(hooks: Parameters<typeof servePlainHttp>[0]): Promise<Site> {
  const { outputFiles } = await build({
    ...{ entryPoints: [source('static.ts')], bundle: true, format: 'esm', write: false },
  });
  const served: string[] = [];
  const site = { served, policy: "default-src 'none'; script-src 'self'; worker-src 'self'; connect-src 'self'" };
  const files: Site['files'] = new Map<string, Buffer | string | Promise<Buffer>>([
    ['/toponym-search.js', dist('toponym-search.js')],
    ['/toponym-static.js', dist('static/toponym-static.js')],
    ['/offline.js', dist('static/offline.js')],
    ['/static.js', outputFiles[0]?.text ?? ''],
    ['/places.toponym', packed(index)],
  ]);
  const { href: url } = await servePlainHttp(hooks, async (request, response) => {
    const path = request.url ?? '';
    const body = await (path === '/'
      ? (files.get('/index.html') ?? '<!doctype html><title>x</title>')
      : files.get(path));
    const etag = `"${createHash('sha256')
      .update(body ?? '')
      .digest('hex')
      .slice(0, 8)}"`;
    const status = body === undefined ? 404 : request.headers['if-none-match'] === etag ? 304 : 200;
    served.push(`${status} ${path}`);
    response.writeHead(status, {
      ...{ etag, 'content-type': TYPES[path.split('.')[1] ?? 'html'], 'access-control-allow-origin': '*' },
      ...{ 'content-security-policy': site.policy, 'cache-control': 'no-store' },
    });
    response.end(status === 200 ? body : undefined);
  });
  return Object.assign(site, { url, files });
}

const browser =
  inChromium.skip === false ? await openBrowser({ after: (done) => after(done as () => void) }) : undefined;

async function openPage(context: { after(done: () => unknown): void }, url: string): Promise<Page> {
  const browserContext = await browser!.newContext();
  context.after(() => browserContext.close());
  browserContext.setDefaultTimeout(STEP_MS);
  const page = await browserContext.newPage();
  await page.goto(url);
  return page;
}

const pageWith = (attributes: string) =>
  `<!doctype html><title>x</title><script type="module" src="toponym-search.js"></script><toponym-search ${attributes}></toponym-search>`;

/** Runs code in the page that may use `createStaticClient`. */
function inPage<T>(page: Page, code: string): Promise<T> {
  return page.evaluate(`import('/static.js').then(async ({ createStaticClient }) => { ${code} })`);
}

/** The hits, or the error, of a call. */
function query<T = Hits>(page: Page, text: string, options: object, more: object = {}): Promise<T> {
  const call = `createStaticClient(${JSON.stringify(options)}).query(${JSON.stringify(text)}, ${JSON.stringify(more)})`;
  return inPage(page, `return await ${call}.catch(({ name, code, message }) => ({ name, code, message }));`);
}

interface CallError {
  readonly code: string;
  readonly message: string;
}

/** The response of a service to the same call. */
function serviceResponse(name: string, form: Record<string, string>): object {
  const endpoint = ENDPOINTS.find((each) => each.name === name)!;
  const body = { format: 'form', byteString: `${new URLSearchParams(form)}` as ByteString } as const;
  const context = {
    engine: openEngine(index),
    maxRecords: 20,
    callerAddress: { family: 4, bytes: [0, 0, 0, 0] },
    locate: () => undefined,
  } as const;
  return withoutTime(
    JSON.parse(textFromByteString(endpoint.respond(readOptions('', body, endpoint.options), context))),
  );
}

function withoutTime({ processingTimeMS: _, ...response }: { processingTimeMS?: number }): object {
  return response;
}

test(
  'the Worker answers as a service does, from a packed, a compressed and a plain index',
  inChromium,
  async (context) => {
    const site = await serveSite(context);
    site.files.set('/zipped.toponym', gzipSync(plain));
    site.files.set('/plain.toponym', plain);
    const page = await openPage(context, site.url);
    for (const file of ['places', 'zipped', 'plain']) {
      for (const text of ['sprngfield il', 'springfield', 'munich', '慕尼黑', 'p', '48.85, 2.35', 'zzzz', '"<&é']) {
        const hits = await query(page, text, { index: `/${file}.toponym` }, { hitsPerPage: 3, language: 'en' });
        assert.deepEqual(
          withoutTime(hits),
          serviceResponse('query', { query: text, hitsPerPage: '3', language: 'en' }),
        );
      }
    }
    const [nearest, record] = await inPage<[Hits, object]>(
      page,
      `const client = createStaticClient({ index: 'places.toponym' });
    const nearest = await client.reverse({ lat: 48.8, lng: 2.3 }, { hitsPerPage: 2 });
    return [nearest, await client.get('G3', { language: 'en' })];`,
    );
    assert.deepEqual(withoutTime(nearest), serviceResponse('reverse', { aroundLatLng: '48.8,2.3', hitsPerPage: '2' }));
    assert.deepEqual(record, serviceResponse('id', { objectID: 'G3', language: 'en' }));
  },
);

test('calls reject with the errors of the API', inChromium, async (context) => {
  const site = await serveSite(context);
  const page = await openPage(context, site.url);
  assert.deepEqual(await query(page, 'x', { index: 'places.toponym' }, { aroundLatLng: '91,0' }), {
    ...{ name: 'ToponymError', code: 'invalid_option' },
    message: 'aroundLatLng: latitude must be between -90 and 90, got "91,0"',
  });
  const codes = await inPage(
    page,
    `const client = createStaticClient({ index: 'places.toponym' });
    const missing = await client.get('G999').catch((error) => [error.code, error.status]);
    const aborted = await client.query('x', { signal: AbortSignal.abort('no') }).catch((reason) => reason);
    client.close();
    return [missing, aborted, await client.query('x').catch((error) => error.message)];`,
  );
  assert.deepEqual(codes, [['object_not_found', 404], 'no', 'this client is closed']);
});

test('a file that is missing, damaged or no index is said to be so', inChromium, async (context) => {
  const site = await serveSite(context);
  const newer = Buffer.from(plain);
  newer.writeUInt32LE(99, 8);
  const damaged = packed(index);
  damaged[damaged.length >> 1]! ^= 0xff;
  const changed = Buffer.from(plain);
  changed[changed.length >> 1]! ^= 0xff;
  for (const [name, body] of Object.entries({
    ...{
      damaged,
      changed,
      newer,
      cut: packed(index).subarray(0, -20),
      html: Buffer.from('<!doctype html>'),
      empty: Buffer.alloc(0),
    },
  })) {
    site.files.set(`/${name}.toponym`, body);
  }
  const page = await openPage(context, site.url);
  for (const [name, code, message] of [
    [
      'missing',
      'index_missing',
      /^the index \S+\/missing\.toponym cannot be loaded: the host answered with status 404$/,
    ],
    ['damaged', 'index_invalid', /^the index \S+ cannot be used: it is damaged, or was not loaded to its end$/],
    ['cut', 'index_invalid', /it is damaged, or was not loaded to its end$/],
    ['changed', 'index_invalid', /the section "\w+" of the index is damaged|checksum/],
    ['newer', 'index_invalid', /index of version 99\.\d+, this program reads \d+\.\d+\. Rebuild the index$/],
    ['html', 'index_invalid', /not a Toponym index/],
    ['empty', 'index_invalid', /not a Toponym index/],
  ] as const) {
    const error = await query<CallError>(page, 'paris', { index: `${name}.toponym` });
    assert.equal(error.code, code, error.message);
    assert.match(error.message, message);
  }
  // the next call tries again
  site.files.set('/missing.toponym', packed(index));
  assert.equal((await query(page, 'paris', { index: 'missing.toponym' })).hits[0]?.objectID, 'G4');
});

test('a script that is missing, or that the policy of the page forbids, is named', inChromium, async (context) => {
  const site = await serveSite(context);
  const failed = /^the script \S+\.js cannot run: /;
  const page = await openPage(context, site.url);
  const missing = await query<CallError>(page, 'x', { index: 'places.toponym', worker: 'none.js' });
  assert.equal(missing.code, 'worker_failed');
  assert.match(missing.message, failed);
  site.policy = "default-src 'none'; script-src 'self'; worker-src 'none'; connect-src 'self'";
  const strict = await openPage(context, site.url);
  assert.match((await query<CallError>(strict, 'x', { index: 'places.toponym' })).message, failed);
});

test('index and script may be on another host', inChromium, async (context) => {
  const [site, other] = [await serveSite(context), await serveSite(context)];
  site.policy = `default-src 'none'; script-src 'self' ${other.url}; worker-src blob:; connect-src ${other.url}`;
  const page = await openPage(context, site.url);
  const { hits } = await query(page, 'paris', { index: `${other.url}places.toponym` });
  assert.equal(hits[0]?.objectID, 'G4');
});

test('the element says that it loads, then shows hits, which keys select', inChromium, async (context) => {
  const site = await serveSite(context);
  const { promise, resolve } = Promise.withResolvers<Buffer>();
  site.files.set('/places.toponym', promise);
  site.files.set('/index.html', pageWith('index="places.toponym"'));
  const page = await openPage(context, site.url);
  const box = page.getByRole('combobox');
  assert.deepEqual(
    site.served.filter((line) => /toponym$/.test(line)),
    [],
    'nothing is loaded before the field is used',
  );
  await box.fill('sprngfield il');
  await page.locator('[part=none]', { hasText: 'Loading the places…' }).waitFor();
  resolve(packed(index));
  const option = page.getByRole('option').first();
  await option.waitFor();
  assert.match((await option.textContent()) ?? '', /Springfield, Illinois, United States/);
  assert.equal(await page.locator('[part=none]').isVisible(), false);
  await box.press('ArrowDown');
  await box.press('Enter');
  assert.equal(await page.evaluate(`document.querySelector('toponym-search').value`), 'G1');
});

test(
  'without its index the element says that it cannot search, the console why, and it searches once it is there',
  inChromium,
  async (context) => {
    const site = await serveSite(context);
    site.files.delete('/places.toponym');
    site.files.set('/index.html', pageWith('index="places.toponym" loading="eager"'));
    const page = await openPage(context, site.url);
    const printed = page.waitForEvent('console', (message) => message.text().startsWith('toponym-search'));
    await page.getByRole('combobox').fill('par');
    await page.getByText('The search is not available now.').waitFor();
    assert.match((await printed).text(), /: the index http.*places\.toponym cannot be loaded: .* status 404$/);
    site.files.set('/places.toponym', packed(index));
    await page.getByRole('combobox').fill('pari');
    await page.getByRole('option', { name: /Paris/ }).waitFor();
  },
);

test(
  'elements of a page share one Worker, which ends some seconds after the last of them',
  inChromium,
  async (context) => {
    const site = await serveSite(context);
    site.files.set(
      '/index.html',
      `${pageWith('index="places.toponym" loading="eager" value="G4"')}<toponym-search index="/places.toponym" value="G1"></toponym-search>`,
    );
    const page = await openPage(context, site.url);
    await waitUntil(
      'both elements have their places',
      () => page.evaluate(`[...document.querySelectorAll('toponym-search')].every((each) => each.hit)`),
      CALL_PAUSE_MS,
    );
    assert.equal(page.workers().length, 1);
    const ended = page.workers()[0]!.waitForEvent('close');
    await page.evaluate(`document.body.replaceChildren()`);
    await ended;
    assert.equal(page.workers().length, 0);
  },
);

test('a stored index answers at once, and a changed file replaces it', inChromium, async (context) => {
  const site = await serveSite(context);
  const page = await openPage(context, site.url);
  const options = { index: 'places.toponym' };
  assert.equal((await query(page, 'paris', options)).nbHits, 1);
  await page.reload();
  assert.equal((await query(page, 'paris', options)).nbHits, 1);
  const requests = () => site.served.filter((line) => line.endsWith('.toponym'));
  await waitUntil('the index is asked for again', () => requests().length >= 2);
  assert.deepEqual(requests(), ['200 /places.toponym', '304 /places.toponym']);
  site.files.set(
    '/places.toponym',
    packed(await anIndex([...PLACES, aPlace({ name: 'Paris', country: 'US', admin1: 'US.TX' })])),
  );
  await page.reload();
  const hasNewPlace = async () => (await query(page, 'paris', options)).nbHits === 2;
  await waitUntil('the new index answers', hasNewPlace, CALL_PAUSE_MS);
});

test(
  'the page of --static works offline after the first visit, also when it is opened again, with the scripts of the last visit',
  inChromium,
  async (context) => {
    const site = await serveSite(context);
    site.policy = "default-src 'self' 'unsafe-inline' data:";
    site.files.set('/index.html', dist('static/index.html'));
    const page = await openPage(context, site.url);
    await page.evaluate('navigator.serviceWorker.ready.then(() => {})');
    await page.getByRole('combobox').fill('paris');
    await page.getByRole('option', { name: /Paris/ }).waitFor();
    await waitUntil(
      'the index is stored',
      () => page.evaluate(`caches.open('toponym-static').then(async (cache) => (await cache.keys()).length === 1)`),
      CALL_PAUSE_MS,
    );
    await page.context().setOffline(true);
    await page.getByRole('combobox').fill('springfield il');
    await page.getByRole('option', { name: /Illinois/ }).waitFor();
    await page.reload();
    await page.getByRole('combobox').fill('munich');
    await page.getByRole('option', { name: /München|Munich/ }).waitFor();

    await page.context().setOffline(false);
    for (const name of ['index.html', 'toponym-search.js', 'toponym-static.js']) {
      const mark = name.endsWith('.js') ? '\n// new' : '<!-- new -->';
      site.files.set(`/${name}`, `${site.files.get(`/${name}`)}${mark}`);
    }
    await page.reload();
    await page.getByRole('combobox').fill('paris');
    await page.getByRole('option', { name: /Paris/ }).waitFor();
    const isStored = `Promise.all(['./', 'toponym-search.js', 'toponym-static.js'].map(async (name) =>
      /new(?: -->)?$/.test(await (await caches.match(name)).text()))).then((each) => each.every(Boolean))`;
    await waitUntil('the new files are stored', () => page.evaluate(isStored), CALL_PAUSE_MS);
    await page.context().setOffline(true);
    await page.goto(`${site.url}index.html`);
    await page.getByRole('combobox').fill('munich');
    await page.getByRole('option', { name: /München|Munich/ }).waitFor();
  },
);
