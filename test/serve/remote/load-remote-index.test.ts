import assert from 'node:assert/strict';
import { readFileSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { IndexDownload } from '../../../src/serve/remote/index-download.ts';
import { loadRemoteIndex } from '../../../src/serve/remote/load-remote-index.ts';
import { cutOff, type Responder, servePlainHttp, wellServed } from '../../fetch/file-server.ts';
import { writeVersion } from '../../support/index-version.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

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
