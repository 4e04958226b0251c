/** The copy of an index at a URL, which a server on this machine answers. */
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
import { readIndexFile } from 'toponym-files/index-file';
import { checkPlaceCount } from 'toponym-server/serve/reload/new-data';
import { writeVersion } from '../../../../../test/support/index-version.ts';
import { temporaryFolder } from '../../../../../test/support/temporary-folder.ts';
import { type CheckIndex, IndexCopy, RefusedError } from '../../../src/datasets/index-copy.ts';
import { Mirror } from '../../../src/datasets/mirror.ts';
import { cutOff, type Responder, servePlainHttp, wellServed } from '../../fetch/file-server.ts';

const ONE = Buffer.from('version one');
const TWO = Buffer.from('version two');
const MAY = 'Fri, 01 May 2026 00:00:00 GMT';
const JUNE = 'Mon, 01 Jun 2026 00:00:00 GMT';
const JULY = 'Wed, 01 Jul 2026 00:00:00 GMT';

async function setUp(context: TestContext, first: Responder = wellServed(ONE)) {
  let responder = first;
  let sentBodies = 0;
  const root = await servePlainHttp(context, (request, response) => {
    responder(request, response);
    if (response.statusCode === 200) sentBodies++;
  });
  const url = new URL('data/world.toponym?signature=x', root);
  const folder = temporaryFolder(context);
  const refusing = { isOn: false, version: 'any' };
  let checking: Promise<void> | undefined;
  const check: CheckIndex = async () => {
    await checking;
    if (refusing.isOn) throw new Error('bad data');
    return { version: refusing.version, places: 1 };
  };
  const copy = new IndexCopy(url, folder, check);
  /** Fetches while every new version is refused. */
  const refuse = async (isForced = false) => {
    refusing.isOn = true;
    await assert.rejects(copy.fetch({ isForced }), (error) => error instanceof RefusedError);
    refusing.isOn = false;
  };
  return {
    url,
    folder,
    copy,
    check,
    refuse,
    respond: (next: Responder) => (responder = next),
    sentBodies: () => sentBodies,
    /** The data version of what is downloaded from now on. */
    nextVersion: (version: string) => (refusing.version = version),
    checkLongerThan: (promise: Promise<void>) => (checking = promise),
  };
}

test('a new version becomes the copy, and is then current', async (context) => {
  const { copy } = await setUp(context);
  assert.equal(await copy.fetch(), 'new');
  assert.deepEqual(readFileSync(copy.path), ONE);
  assert.equal(await copy.fetch(), 'current');
  assert.deepEqual(readdirSync(dirname(copy.path)).sort(), ['.lock', 'world.toponym', 'world.toponym.json']);
});

test('a refused version leaves the copy as it was, and is downloaded again only if forced', async (context) => {
  const { copy, refuse, respond, sentBodies } = await setUp(context);
  await copy.fetch();
  respond(wellServed(TWO, '"v2"'));
  await refuse();
  assert.deepEqual(readFileSync(copy.path), ONE);
  assert.ok(!existsSync(`${copy.path}.new`));
  assert.equal(await copy.fetch(), 'refused');
  assert.equal(sentBodies(), 2);
  assert.equal(await copy.fetch({ isForced: true }), 'new');
  assert.deepEqual(readFileSync(copy.path), TWO);
});

test('one process downloads at a time, until what it has downloaded is checked', async (context) => {
  const { url, folder, copy, check, checkLongerThan } = await setUp(context);
  const other = new IndexCopy(url, folder, check);
  const { promise, resolve } = Promise.withResolvers<void>();
  checkLongerThan(promise);
  const fetching = copy.fetch();
  assert.equal(await other.fetch(), 'busy');
  resolve();
  assert.equal(await fetching, 'new');
  assert.equal(await other.fetch(), 'current');
});

test('without ETag and Last-Modified, a copy or a refused version is downloaded again only if forced', async (context) => {
  const { copy, refuse, respond, sentBodies } = await setUp(context, (_request, response) => response.end(ONE));
  await copy.fetch();
  assert.equal(await copy.fetch(), 'unversioned');
  assert.equal(sentBodies(), 1);
  assert.equal(await copy.fetch({ isForced: true }), 'current');
  respond((_request, response) => response.end(TWO));
  assert.equal(await copy.fetch(), 'unversioned');
  await refuse(true);
  const before = sentBodies();
  assert.equal(await copy.fetch(), 'refused');
  assert.equal(sentBodies(), before);
  assert.equal(await copy.fetch({ isForced: true }), 'new');
});

test('a request finds out that the copy is damaged, and a version that another process has accepted is not refused', async (context) => {
  const { url, folder, copy, check, refuse, respond } = await setUp(context);
  await copy.fetch();
  writeFileSync(copy.path, 'damaged');
  assert.equal(await copy.fetch(), 'current');
  assert.equal(await copy.fetch({ isForced: true }), 'new');
  assert.deepEqual(readFileSync(copy.path), ONE);
  respond(wellServed(TWO, '"v2"'));
  await refuse();
  assert.equal(await new IndexCopy(url, folder, check).fetch(), 'new');
  assert.equal(await copy.fetch().catch(() => 'the new copy is read'), 'the new copy is read');
});

test('a server that returns to the copy after a refused version is current', async (context) => {
  const { copy, refuse, respond } = await setUp(context);
  await copy.fetch();
  respond(wellServed(TWO, '"v2"'));
  await refuse();
  respond(wellServed(ONE, '"v1 again"'));
  assert.equal(await copy.fetch(), 'current');
  assert.equal(await copy.fetch(), 'current');
  assert.equal(JSON.parse(readFileSync(`${copy.path}.json`, 'utf8')).etag, '"v1 again"');
});

test('older data is refused: by the date of its version, or else by Last-Modified', async (context) => {
  const dated = (content: string, lastModified: string): Responder => {
    return (_request, response) => response.writeHead(200, { 'last-modified': lastModified }).end(content);
  };
  const { copy, respond, nextVersion } = await setUp(context, dated('1', MAY));
  const fetchVersion = async (version: string, content: string, lastModified: string) => {
    nextVersion(version);
    respond(dated(content, lastModified));
    return await copy.fetch().catch((error: Error) => (error.cause as Error).message);
  };
  assert.equal(await fetchVersion('a-2026-05-02', '1', JUNE), 'new');
  assert.equal(statSync(copy.path).mtimeMs, Date.parse(JUNE), 'the copy has the time of Last-Modified');
  assert.equal(
    await fetchVersion('a-2026-05-01', '2', JULY),
    `the index holds data a-2026-05-01, and a-2026-05-02 is being served. To go back to older data, delete ${copy.path} and restart the service`,
  );
  assert.equal(await fetchVersion('a-2026-05-03', '3', MAY), 'new');
  assert.equal(await fetchVersion('ndjson', '4', JUNE), 'new');
  assert.match(
    await fetchVersion('ndjson', '5', MAY),
    /holds data ndjson with an earlier Last-Modified, and ndjson is/,
  );
  assert.equal(await fetchVersion('ndjson', '6', JULY), 'new');
});

test('what a killed process has left is removed; a damaged copy or deleted folder is downloaded again', async (context) => {
  const { copy, sentBodies } = await setUp(context);
  mkdirSync(dirname(copy.path));
  writeFileSync(`${copy.path}.new`, 'left');
  assert.equal(await copy.fetch(), 'new');
  assert.equal(await copy.read(), undefined); // is no index
  assert.equal(await copy.fetch(), 'new');
  rmSync(dirname(copy.path), { recursive: true });
  assert.equal(await copy.fetch(), 'new');
  assert.equal(sentBodies(), 3);
  assert.deepEqual(readFileSync(copy.path), ONE);
});

test('a copy belongs to the address without its query', async (context) => {
  const { url, folder, copy, check } = await setUp(context);
  const signedAgain = new URL('?signature=y', url);
  assert.equal(new IndexCopy(signedAgain, folder, check).path, copy.path);
  assert.notEqual(new IndexCopy(new URL('other.toponym', url), folder, check).path, copy.path);
  const strange = new IndexCopy(new URL('/..%2F..%2F.lock', url), folder, check);
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
  const copy = new IndexCopy(new URL('world.toponym', url), join(folder, 'index'), async (path, name, served) =>
    checkPlaceCount(readIndexFile(path), { name, served, allowShrunkenData: false }),
  );
  const build = async (version: string, names: readonly string[] = NAMES) => {
    const file = join(folder, 'built.toponym');
    await writeVersion(file, version, names);
    return readFileSync(file);
  };
  /** Loads the index from a server that responds so, one responder per request. */
  const load = async (...given: readonly Responder[]) => {
    responders = given;
    ranges.length = 0;
    return Buffer.from(await new Mirror(copy, { onWait: () => {}, onEnd: () => {} }).load(() => {}));
  };
  return { copy, build, load, ranges };
}

test('a broken download is resumed where it stopped, and a changed index is downloaded from its beginning', async (context) => {
  const { copy, build, load, ranges } = await aServer(context);
  const one = await build('one');
  const half = Math.floor(one.length / 2);
  assert.deepEqual(await load(cutOff(one, { until: half }, '"one"'), wellServed(one, '"one"')), one);
  assert.deepEqual(ranges, [undefined, `bytes=${half}-`]);
  truncateSync(copy.path, 0);
  const two = await build('two');
  assert.deepEqual(await load(cutOff(one, { until: half }, '"one"'), wellServed(two, '"two"')), two);
});

test('a damaged copy is downloaded again', async (context) => {
  const { copy, build, load } = await aServer(context);
  const one = await build('one');
  await load(wellServed(one));
  truncateSync(copy.path, 1000);
  assert.deepEqual(await load(wellServed(one)), one);
  assert.equal(statSync(copy.path).size, one.length);
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
