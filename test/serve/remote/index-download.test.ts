import assert from 'node:assert/strict';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import {
  type FetchOptions,
  IndexDownload,
  loadRemoteIndex,
  type NewIndex,
} from '../../../src/serve/remote/index-download.ts';
import { cutOff, type Responder, servePlainHttp, wellServed } from '../../fetch/file-server.ts';
import { writeVersion } from '../../support/index-version.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const ONE = Buffer.from('version one');
const TWO = Buffer.from('version two');
const MAY = 'Fri, 01 May 2026 00:00:00 GMT';
const JUNE = 'Mon, 01 Jun 2026 00:00:00 GMT';

async function setUp(context: TestContext, first: Responder = wellServed(ONE)) {
  let responder = first;
  let sentBodies = 0;
  const root = await servePlainHttp(context, (request, response) => {
    responder(request, response);
    if (response.statusCode === 200) sentBodies++;
  });
  const url = new URL('data/world.toponym?signature=x', root);
  const folder = temporaryFolder(context);
  return {
    url,
    folder,
    download: new IndexDownload(url, folder),
    respond: (next: Responder) => (responder = next),
    sentBodies: () => sentBodies,
  };
}

async function fetchNew(download: IndexDownload, options: FetchOptions = {}): Promise<NewIndex> {
  const result = await download.fetch(options);
  if (typeof result === 'string') assert.fail(`expected a new version, got ${result}`);
  return result;
}

test('an accepted version becomes the copy, and is then current', async (context) => {
  const { download } = await setUp(context);
  const fetched = await fetchNew(download);
  assert.ok(!existsSync(download.path));
  await fetched.accept();
  assert.deepEqual(readFileSync(download.path), ONE);
  assert.equal(await download.fetch(), 'current');
  assert.deepEqual(readdirSync(dirname(download.path)).sort(), ['.lock', 'world.toponym', 'world.toponym.json']);
});

test('a refused version leaves the copy as it was, and is downloaded again only if forced', async (context) => {
  const { download, respond, sentBodies } = await setUp(context);
  await (await fetchNew(download)).accept();
  respond(wellServed(TWO, '"v2"'));
  await (await fetchNew(download)).refuse();
  assert.deepEqual(readFileSync(download.path), ONE);
  assert.equal(await download.fetch(), 'refused');
  assert.equal(sentBodies(), 2);
  await (await fetchNew(download, { isForced: true })).accept();
  assert.deepEqual(readFileSync(download.path), TWO);
});

test('one process downloads at a time, until it has accepted or refused', async (context) => {
  const { url, folder, download } = await setUp(context);
  const other = new IndexDownload(url, folder);
  const fetched = await fetchNew(download);
  assert.equal(await other.fetch(), 'busy');
  await fetched.accept();
  assert.equal(await other.fetch(), 'current');
});

test('without ETag and Last-Modified, a copy is downloaded again only if forced', async (context) => {
  const { download, respond, sentBodies } = await setUp(context, (_request, response) => response.end(ONE));
  await (await fetchNew(download)).accept();
  assert.equal(await download.fetch(), 'unversioned');
  assert.equal(sentBodies(), 1);
  assert.equal(await download.fetch({ isForced: true }), 'current');
  respond((_request, response) => response.end(TWO));
  assert.equal(await download.fetch(), 'unversioned');
  assert.equal(typeof (await download.fetch({ isForced: true })), 'object');
});

test('without ETag and Last-Modified, a refused version is known by its bytes, and downloaded again only if forced', async (context) => {
  const { download, respond, sentBodies } = await setUp(context, (_request, response) => response.end(ONE));
  await (await fetchNew(download)).refuse();
  assert.equal(await download.fetch(), 'refused');
  await (await fetchNew(download, { isForced: true })).accept();
  const before = sentBodies();
  respond((_request, response) => response.end(TWO));
  await (await fetchNew(download, { isForced: true })).refuse();
  assert.equal(await download.fetch(), 'refused');
  assert.equal(sentBodies(), before + 1);
  assert.equal(typeof (await download.fetch({ isForced: true })), 'object');
});

test('a server that returns to the copy after a refused version, with or without ETag, is current', async (context) => {
  for (const refused of [wellServed(TWO, '"v2"'), ((_request, response) => response.end(TWO)) satisfies Responder]) {
    const { download, respond } = await setUp(context);
    await (await fetchNew(download)).accept();
    respond(refused);
    await (await fetchNew(download)).refuse();
    respond(wellServed(ONE, '"v1 again"'));
    assert.equal(await download.fetch(), 'current');
    assert.equal(await download.fetch(), 'current');
    assert.equal(JSON.parse(readFileSync(`${download.path}.json`, 'utf8')).etag, '"v1 again"');
  }
});

test('the copy has the time of Last-Modified, and an earlier time is noticed', async (context) => {
  const dated = (content: Buffer, lastModified: string): Responder => {
    return (_request, response) => response.writeHead(200, { 'last-modified': lastModified }).end(content);
  };
  const { download, respond } = await setUp(context, dated(ONE, JUNE));
  const first = await fetchNew(download);
  assert.equal(first.isBackdated, false);
  await first.accept();
  assert.equal(statSync(download.path).mtimeMs, Date.parse(JUNE));
  respond(dated(TWO, MAY));
  const second = await fetchNew(download);
  assert.equal(second.isBackdated, true);
  await second.refuse();
});

test('what a killed process has left is removed; a forgotten copy or deleted folder is downloaded again', async (context) => {
  const { download, sentBodies } = await setUp(context);
  mkdirSync(dirname(download.path));
  writeFileSync(`${download.path}.new`, 'left');
  await (await fetchNew(download)).accept();
  await download.forgetCopy();
  await (await fetchNew(download)).accept();
  rmSync(dirname(download.path), { recursive: true });
  await (await fetchNew(download)).accept();
  assert.equal(sentBodies(), 3);
  assert.deepEqual(readFileSync(download.path), ONE);
});

test('a copy belongs to the address without its query', async (context) => {
  const { url, folder, download } = await setUp(context);
  const signedAgain = new URL('?signature=y', url);
  assert.equal(new IndexDownload(signedAgain, folder).path, download.path);
  assert.notEqual(new IndexDownload(new URL('other.toponym', url), folder).path, download.path);
  const strange = new IndexDownload(new URL('/..%2F..%2F.lock', url), folder);
  assert.equal(dirname(dirname(strange.path)), folder);
});

const NAMES = ['Alba', 'Borea'];

async function aServer(context: TestContext) {
  const folder = temporaryFolder(context);
  const ranges: (string | undefined)[] = [];
  let responders: readonly Responder[] = [];
  const url = await servePlainHttp(context, (request, response) => {
    const [first, ...rest] = responders;
    if (rest.length > 0) responders = rest;
    ranges.push(request.headers.range);
    first?.(request, response);
  });
  const remote = new IndexDownload(new URL('world.toponym', url), join(folder, 'index'));
  const build = async (version: string, names: readonly string[] = NAMES) => {
    const file = join(folder, 'built.toponym');
    await writeVersion(file, version, names);
    return readFileSync(file);
  };
  /** Loads the index from a server that responds so, one responder per request. */
  const load = async (...given: readonly Responder[]) => {
    responders = given;
    ranges.length = 0;
    const index = await loadRemoteIndex(remote, { allowShrunkenData: false, beforeRead: () => {}, onWait: () => {} });
    return Buffer.from(index);
  };
  return { remote, build, load, ranges };
}

test('a broken download is resumed where it stopped, and a changed index is downloaded from its beginning', async (context) => {
  const { remote, build, load, ranges } = await aServer(context);
  const one = await build('one');
  const half = Math.floor(one.length / 2);
  assert.deepEqual(await load(cutOff(one, { until: half }, '"one"'), wellServed(one, '"one"')), one);
  assert.deepEqual(ranges, [undefined, `bytes=${half}-`]);
  await remote.forgetCopy();
  truncateSync(remote.path, 0);
  const two = await build('two');
  assert.deepEqual(await load(cutOff(one, { until: half }, '"one"'), wellServed(two, '"two"')), two);
});

test('a damaged copy is downloaded again', async (context) => {
  const { remote, build, load } = await aServer(context);
  const one = await build('one');
  await load(wellServed(one));
  truncateSync(remote.path, 1000);
  assert.deepEqual(await load(wellServed(one)), one);
  assert.equal(statSync(remote.path).size, one.length);
});

test('without a copy, a file that is no index or holds no places is an error', async (context) => {
  const { build, load } = await aServer(context);
  await assert.rejects(load(wellServed(Buffer.from('<!doctype html>'), '"page"')), {
    message: /world\.toponym.*: not a Toponym index: it does not start with the magic bytes/,
  });
  await assert.rejects(load(wellServed(await build('empty', []), '"empty"')), {
    message: /^http:.*world\.toponym: the index holds no places/,
  });
});
