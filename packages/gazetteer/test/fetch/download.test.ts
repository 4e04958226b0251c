import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { temporaryFolder } from '../../../../test/support/temporary-folder.ts';
import { forgetFile } from '../../src/fetch/cached-file.ts';
import { DownloadError, type DownloadOptions, type DownloadProgress, downloadFile } from '../../src/fetch/download.ts';
import { sendGet, systemClock } from '../../src/fetch/get-request.ts';
import { cutOff, type Responder, raw, serveFiles, servePlainHttp, status, wellServed } from './file-server.ts';
import { createTestClock } from './test-clock.ts';

const CONTENT = Buffer.from('PK\x03\x04 and what else an archive has'.repeat(100));
const ZIP = { description: 'a zip archive', matches: (head: Buffer) => head.toString('latin1', 0, 2) === 'PK' };

/** Sets up a server with these responses, a folder, and a download that does not wait. */
async function setUp(context: TestContext, ...responders: Responder[]) {
  context.mock.method(Math, 'random', () => 1); // the longest retry delays
  const server = await serveFiles(context, ...responders);
  const folder = temporaryFolder(context);
  const path = join(folder, 'file.zip');
  const clock = createTestClock();
  const download = (options: Partial<DownloadOptions> = {}) =>
    downloadFile(server.url, path, {
      maxBytes: 1e8,
      ca: server.ca,
      clock,
      signature: ZIP,
      ...options,
    });
  return { ...server, folder, path, clock, download };
}

/** Asserts that the download fails with a message that names the address, and leaves no file. */
async function assertFails(run: Awaited<ReturnType<typeof setUp>>, reason: RegExp, options = {}) {
  await assert.rejects(run.download(options), (error) => {
    assert.ok(error instanceof DownloadError, String(error));
    assert.ok(error.message.startsWith(`${run.url}: `), error.message);
    assert.match(error.message, reason);
    return true;
  });
  assert.ok(!existsSync(run.path));
}

test('a file is written with metadata of its source and its SHA-256, and nothing else is left', async (context) => {
  const run = await setUp(context, wellServed(CONTENT));
  const sha256 = createHash('sha256').update(CONTENT).digest('hex');
  const metadata = { url: run.url.href, bytes: CONTENT.length, sha256, etag: '"v1"', lastModified: '' };
  assert.deepEqual(await run.download(), { ...metadata, path: run.path, outcome: 'downloaded' });
  assert.deepEqual(readFileSync(run.path), CONTENT);
  assert.deepEqual(JSON.parse(readFileSync(`${run.path}.json`, 'utf8')), metadata);
  assert.deepEqual(readdirSync(run.folder).sort(), ['file.zip', 'file.zip.json']);
});

test('an unchanged file is not sent again', async (context) => {
  const run = await setUp(context, wellServed(CONTENT));
  const first = await run.download();
  assert.deepEqual(await run.download(), { ...first, outcome: 'unchanged' });
  assert.equal(run.requests[1]?.headers['if-none-match'], '"v1"');
  assert.deepEqual(readFileSync(run.path), CONTENT);
});

test('without an ETag, the conditional request uses Last-Modified', async (context) => {
  const lastModified = 'Sat, 14 Nov 2026 03:00:00 GMT';
  const run = await setUp(
    context,
    (_request, response) => response.writeHead(200, { 'last-modified': lastModified }).end(CONTENT),
    status(304),
  );
  await run.download();
  assert.equal((await run.download()).outcome, 'unchanged');
  assert.equal(run.requests[1]?.headers['if-modified-since'], lastModified);
});

test('a changed file replaces the old one', async (context) => {
  const changed = Buffer.concat([CONTENT, Buffer.from('more')]);
  const run = await setUp(context, wellServed(CONTENT), wellServed(changed, '"v2"'));
  await run.download();
  assert.equal((await run.download()).etag, '"v2"');
  assert.deepEqual(readFileSync(run.path), changed);
});

test('a cached file that is damaged, forgotten or from another address is downloaded again', async (context) => {
  const run = await setUp(context, wellServed(CONTENT));
  await run.download();
  writeFileSync(run.path, CONTENT.subarray(1));
  assert.equal((await run.download()).outcome, 'downloaded');
  await forgetFile(run.path);
  assert.equal((await run.download()).outcome, 'downloaded');
  writeFileSync(`${run.path}.json`, '{"url":');
  assert.equal((await run.download()).outcome, 'downloaded');
  const other = new URL('other.zip', run.url);
  const fromOther = await downloadFile(other, run.path, { maxBytes: 1e8, ca: run.ca });
  assert.equal(fromOther.outcome, 'downloaded');
  assert.ok(run.requests.every(({ headers }) => headers['if-none-match'] === undefined));
  assert.deepEqual(readFileSync(run.path), CONTENT);
});

test('after a lost connection the download resumes where it stopped, also in a later run', async (context) => {
  const run = await setUp(
    context,
    cutOff(CONTENT, { until: 1000 }),
    cutOff(CONTENT, { from: 1000, until: 2500 }),
    status(403),
    wellServed(CONTENT),
  );
  await assertFails(run, /403 Forbidden$/);
  await run.download();
  assert.deepEqual(readFileSync(run.path), CONTENT);
  assert.deepEqual(
    run.requests.map(({ headers }) => [headers.range, headers['if-range']]),
    [
      [undefined, undefined],
      ['bytes=1000-', '"v1"'],
      ['bytes=2500-', '"v1"'],
      ['bytes=2500-', '"v1"'],
    ],
  );
});

const CHANGED = Buffer.from(CONTENT.map((byte, i) => (i > 10 ? byte ^ 1 : byte)));
const withoutRanges: Responder = (_request, response) =>
  response.writeHead(200, { etag: '"v1"', 'content-length': CONTENT.length }).end(CONTENT);

for (const [title, next, last, restarts] of [
  ['a server that ignores Range is read from the beginning', withoutRanges, wellServed(CONTENT), false],
  ['parts of two versions are never combined', wellServed(CHANGED, '"v2"'), wellServed(CHANGED, '"v2"'), false],
  [
    'a range of the new version is discarded although If-Range names the old one',
    cutOff(CHANGED, { from: 1000, until: CHANGED.length }, '"v2"'),
    wellServed(CHANGED, '"v2"'),
    true,
  ],
  [
    'a range other than the requested one is discarded',
    cutOff(CONTENT, { from: 999, until: CONTENT.length }),
    wellServed(CONTENT),
    true,
  ],
] as const) {
  test(title, async (context) => {
    const run = await setUp(context, cutOff(CONTENT, { until: 1000 }), next, last);
    const { etag } = await run.download();
    assert.deepEqual(readFileSync(run.path), etag === '"v2"' ? CHANGED : CONTENT);
    assert.equal(run.requests.length, restarts ? 3 : 2);
    assert.equal(run.requests[2]?.headers.range, undefined);
  });
}

test('a download without a strong ETag or an older Last-Modified is restarted', async (context) => {
  for (const headers of [{ etag: 'W/"v1"' }, { 'last-modified': new Date(Date.now() + 5000).toUTCString() }]) {
    const run = await setUp(
      context,
      (_request, response) => {
        response.writeHead(200, { ...headers, 'content-length': CONTENT.length });
        response.write(CONTENT.subarray(0, 1000), () => response.destroy());
      },
      wellServed(CONTENT),
    );
    await run.download();
    assert.equal(run.requests[1]?.headers.range, undefined);
    assert.deepEqual(readFileSync(run.path), CONTENT);
  }
});

const OK = 'HTTP/1.1 200 OK';
const COMPRESSED = raw([OK, 'Content-Encoding: gzip', 'Content-Length: 2'], 'PK');
// the file ends at 1000, its announced length is 3300, and no range starts after the end
const shorterThanAnnounced: Responder = (request, response) =>
  (request.headers.range === undefined ? cutOff(CONTENT, { until: 1000 }) : status(416))(request, response);

for (const [title, responder, reason, requests] of [
  [
    'a cut-off body',
    raw([OK, 'Content-Length: 9999'], CONTENT),
    /was lost after 3300 of 9999 bytes \(tried 6 times in a row\)$/,
    6,
  ],
  [
    'a cut-off chunked body',
    raw([OK, 'Transfer-Encoding: chunked'], '5\r\nPK345\r\n'),
    /connection was lost after 5 bytes/,
    6,
  ],
  ['a body without a length', raw([OK, 'Connection: close'], CONTENT), /has no length/, 1],
  [
    'a body longer than its Content-Length',
    raw([OK, 'Content-Length: 100'], CONTENT),
    /sent more than its Content-Length/,
    6,
  ],
  [
    'a file shorter than announced',
    shorterThanAnnounced,
    /(after 1000 of 3300 bytes|no bytes of the file after the 1000 already downloaded) \(tried 6 times/,
    6,
  ],
  ['a server error, six times', status(500), /500 Internal Server Error \(tried 6 times in a row\)$/, 6],
  ['a missing file', status(404), /answered 404 Not Found$/, 1],
  ['an unexpected 304', status(304), /answered 304 Not Modified$/, 1],
  ['an unexpected 206', status(206), /answered 206 Partial Content$/, 1],
  ['a compressed body', COMPRESSED, /is compressed/, 1],
  ['a redirect without a target', status(308), /redirected without a valid Location/, 1],
  [
    'a redirect to itself',
    status(301, { location: '/dump/file.zip' }),
    /redirected more than 5 times, last to https:\/\/localhost/,
    6,
  ],
  [
    'a wait that is too long',
    status(429, { 'retry-after': '3600' }),
    /429 Too Many Requests and asked to retry after 3600 s, which is too long$/,
    1,
  ],
] as [string, Responder, RegExp, number][]) {
  test(`${title} is an error, not a file`, async (context) => {
    const run = await setUp(context, responder);
    await assertFails(run, reason);
    assert.equal(run.requests.length, requests);
  });
}

test('a file over the maximum is refused by its Content-Length, or else while it is received', async (context) => {
  const announced = await setUp(context, cutOff(CONTENT, { until: 5 }));
  await assertFails(announced, /the file has 3300 bytes or more, expected at most 3299$/, { maxBytes: 3299 });
  assert.equal(announced.requests.length, 1);
  const unannounced = await setUp(context, (_request, response) =>
    response.writeHead(200).end(CONTENT.subarray(0, 900)),
  );
  await assertFails(unannounced, /the file has 900 bytes or more, expected at most 500$/, { maxBytes: 500 });
  assert.equal(unannounced.requests.length, 1);
});

test('server errors are retried, each time after a longer delay', async (context) => {
  const run = await setUp(context, status(500), status(503), status(502), status(408), wellServed(CONTENT));
  const reasons: string[] = [];
  await run.download({ onRetry: (reason) => reasons.push(reason) });
  assert.deepEqual(run.clock.slept, [1000, 2000, 4000, 8000]);
  assert.deepEqual(reasons[1], 'the server answered 503 Service Unavailable');
});

test('a delay that the server requests is respected', async (context) => {
  const inAMinute = new Date(Math.ceil(Date.now() / 1000) * 1000 + 60_000).toUTCString();
  const run = await setUp(
    context,
    status(429, { 'retry-after': '7' }),
    status(503, { 'retry-after': inAMinute }),
    status(503, { 'retry-after': 'soon' }),
    wellServed(CONTENT),
  );
  await run.download();
  const [first = 0, second = 0, third = 0] = run.clock.slept;
  assert.equal(first, 7000);
  assert.ok(second > 55_000 && second <= 61_000, String(second));
  assert.equal(third, 4000);
});

test('a large file arrives over a connection that is lost again and again', async (context) => {
  const large = Buffer.alloc(18 << 20, 'PK and eighteen megabytes');
  const run = await setUp(context, (request, response) => {
    const from = Number(/\d+/.exec(request.headers.range ?? '0')?.[0]);
    cutOff(large, { from, until: Math.min(large.length, from + (2 << 20)) })(request, response);
  });
  await run.download();
  assert.ok(run.requests.length >= 9);
  assert.ok(readFileSync(run.path).equals(large));
});

test('chunks that arrived before the connection was lost reach a reader that is slower', async (context) => {
  const url = await servePlainHttp(context, (_request, { socket }) => {
    socket?.end(`${OK}\r\nTransfer-Encoding: chunked\r\n\r\n${'5\r\nchunk\r\n'.repeat(200)}`);
  });
  const { response, body } = await sendGet(url, { headers: {}, idleMs: 1000, clock: createTestClock() });
  if (!response.closed) await once(response, 'close').catch(() => {});
  let received = '';
  const read = async () => {
    for await (const chunk of body()) received += chunk;
  };
  await assert.rejects(read(), /the connection was lost/);
  assert.equal(received, 'chunk'.repeat(200));
});

test('a server that switches protocols is refused, whether it closes the connection or not', async (context) => {
  const upgrade = 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n';
  const bare = 'HTTP/1.1 101 Switching Protocols\r\n\r\n';
  for (const head of [upgrade, bare]) {
    for (const isClosed of [true, false]) {
      const run = await setUp(context, (_request, { socket }) => {
        if (isClosed) socket?.end(head);
        else socket?.write(head);
      });
      await assertFails(run, /: the server answered 101 Switching Protocols$/);
      assert.equal(run.requests.length, 1);
    }
  }
});

test('an untrusted certificate ends the download immediately', async (context) => {
  const run = await setUp(context, wellServed(CONTENT));
  const { ca: _ca, ...trustingNobody } = { ca: '', maxBytes: 1e8, clock: run.clock };
  await assert.rejects(downloadFile(run.url, run.path, trustingNobody), /file\.zip: self-signed certificate/);
  assert.deepEqual([run.requests.length, run.clock.slept], [0, []]);
});

test('an unreachable server is retried, then named', async (context) => {
  const clock = createTestClock();
  const path = join(temporaryFolder(context), 'file');
  const server = createServer().listen(0, 'localhost');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  const url = new URL(`https://localhost:${port}/x`);
  await assert.rejects(
    downloadFile(url, path, { maxBytes: 1, clock }),
    /\/x: connection refused( \(\S+\))? \(tried 6 times in a row\)$/,
  );
  assert.equal(clock.slept.length, 5);
});

test('redirects are followed, but only to HTTPS', async (context) => {
  const good = await setUp(context, status(302, { location: '../moved/file.zip' }), wellServed(CONTENT));
  await good.download();
  assert.equal(good.requests[1]?.url, '/moved/file.zip');
  const plain = await servePlainHttp(context, wellServed(CONTENT));
  await assertFails(await setUp(context, status(307, { location: plain.href })), /which must be https$/);
});

test('only HTTPS and loopback addresses are allowed', async (context) => {
  const folder = temporaryFolder(context);
  const plain = await servePlainHttp(context, wellServed(CONTENT));
  const downloaded = await downloadFile(plain, join(folder, 'a'), { maxBytes: 1e6 });
  assert.equal(downloaded.bytes, CONTENT.length);
  for (const address of [
    'http://example.com/x',
    'ftp://127.0.0.1/x',
    'file:///etc/passwd',
    'http://127.0.0.1.nip.io/',
  ]) {
    await assert.rejects(downloadFile(new URL(address), join(folder, 'b'), { maxBytes: 1e6 }), /must be https/);
  }
});

test('an HTML page instead of the file is refused, and the old file stays', async (context) => {
  const page = Buffer.from('<!doctype html><title>Please log in</title>');
  const run = await setUp(context, wellServed(page), wellServed(CONTENT, '"v2"'), wellServed(page, '"v3"'));
  await assertFails(run, /is not a zip archive: it begins "<!doctype html>/);
  await run.download();
  await assert.rejects(run.download(), /is not a zip archive/);
  assert.deepEqual(readFileSync(run.path), CONTENT);
  assert.deepEqual(readdirSync(run.folder).sort(), ['file.zip', 'file.zip.json']);
  await assertFails(await setUp(context, wellServed(Buffer.alloc(0))), /is not a zip archive: it is empty$/);
});

test('a request to a silent server is abandoned after the idle time and retried', async (context) => {
  const run = await setUp(
    context,
    () => run.clock.pass(),
    (_request, response) => {
      response.writeHead(200, { etag: '"v1"', 'content-length': CONTENT.length }).write(CONTENT.subarray(0, 5));
    },
    wellServed(CONTENT),
  );
  const reasons: string[] = [];
  await run.download({
    idleMs: 30_000,
    onRetry: (reason) => reasons.push(reason),
    // after the first five bytes, the clock advances while no data arrives
    onProgress: ({ bytes }) => bytes === 5 && setImmediate(run.clock.pass),
  });
  assert.deepEqual(reasons, [
    'no data received for 30 s',
    'less than 8192 bytes a second received for 30 s after 5 of 3300 bytes',
  ]);
  assert.deepEqual(readFileSync(run.path), CONTENT);
  assert.equal(run.requests[2]?.headers.range, 'bytes=5-');
});

test('a server that drips is as good as a silent one', async (context) => {
  const run = await setUp(context, (_request, response) => {
    response.writeHead(200, { etag: '"v1"', 'content-length': 1e6 });
    const timer = setInterval(() => response.write('x'), 10);
    response.once('close', () => clearInterval(timer));
  });
  const options = { idleMs: 100, maxFailures: 1, clock: systemClock };
  await assertFails(run, /: less than 8192 bytes a second received for 0\.1 s after \d+ of 1000000 bytes$/, options);
});

test('a body at the lowest rate is received, however long that takes', async (context) => {
  const pieces = 20;
  const run = await setUp(context, (_request, response) => {
    response.writeHead(200, { 'content-length': pieces * CONTENT.length });
    let sent = 0;
    const timer = setInterval(() => {
      response.write(CONTENT);
      if (++sent === pieces) clearInterval(timer);
    }, 1);
  });
  // a clock on which each piece takes nearly the idle time
  let nowMs = 0;
  const clock = { ...run.clock, nowMs: () => (nowMs += 200) };
  await run.download({ idleMs: 300, clock });
  assert.equal(readFileSync(run.path).length, pieces * CONTENT.length);
});

test('a response without a size and without an end is cut off, and nothing of it is left', async (context) => {
  const run = await setUp(context, (_request, response) => {
    response.writeHead(200, { etag: '"v1"' });
    const send = () => {
      if (!response.destroyed) response.write(Buffer.alloc(65_536), send);
    };
    send();
  });
  await assertFails(run, /: the file has \d+ bytes or more, expected at most 1000000$/, { maxUnsizedBytes: 1e6 });
  assert.deepEqual(readdirSync(run.folder), []);
});

test('a download may have a time limit, and a later one resumes it', async (context) => {
  const run = await setUp(
    context,
    (_request, response) => {
      response.writeHead(200, { etag: '"v1"', 'content-length': CONTENT.length }).write(CONTENT.subarray(0, 5));
    },
    wellServed(CONTENT),
  );
  const clock = {
    ...run.clock,
    after: (ms: number, go: () => void) => (ms === 60_000 ? run.clock.after(ms, go) : () => {}),
  };
  const onProgress = ({ bytes }: DownloadProgress) => bytes === 5 && setImmediate(run.clock.pass);
  await assertFails(run, /: not complete after 1 minutes$/, { maxMs: 60_000, clock, onProgress });
  await run.download();
  assert.equal(run.requests[1]?.headers.range, 'bytes=5-');
});

test('progress reports bytes, rate and time left', async (context) => {
  const run = await setUp(context, wellServed(CONTENT));
  const seen: DownloadProgress[] = [];
  let now = 0;
  const clock = { ...run.clock, nowMs: () => (now += 1000) };
  await run.download({ clock, onProgress: (progress) => seen.push(progress) });
  const last = seen.at(-1);
  assert.equal(seen[0]?.bytes, 0);
  assert.deepEqual([last?.bytes, last?.totalBytes, last?.secondsLeft], [3300, 3300, 0]);
  assert.ok((last?.bytesPerSecond ?? 0) > 0);
});

test('a version that the caller knows is not downloaded, even if no file exists', async (context) => {
  const run = await setUp(context, wellServed(CONTENT));
  const known = { url: run.url.href, bytes: 3, sha256: 'of the known version', etag: '"v1"', lastModified: '' };
  assert.deepEqual(await run.download({ known }), { ...known, path: run.path, outcome: 'unchanged' });
  assert.equal((await run.download({ known: { ...known, etag: '"v0"' } })).outcome, 'downloaded');
});

test('a server that ignores conditional requests does not send the known version to its end', async (context) => {
  const lastModified = 'Sat, 14 Nov 2026 03:00:00 GMT';
  const endless = (headers: Record<string, string>): Responder => {
    return (_request, response) => response.writeHead(200, headers).write(CONTENT);
  };
  const versions = [
    { etag: '"v1"', lastModified: '' },
    { etag: '', lastModified },
  ];
  for (const { etag, lastModified } of versions) {
    const headers = { ...(etag && { etag }), ...(lastModified && { 'last-modified': lastModified }) };
    const run = await setUp(context, endless(headers));
    const known = { url: run.url.href, bytes: 3, sha256: '', etag, lastModified };
    assert.equal((await run.download({ known })).outcome, 'unchanged');
  }
});

test('the query of the address is sent, but neither stored nor shown', async (context) => {
  const secret = 'X-Signature=secret';
  const run = await setUp(context, wellServed(CONTENT), status(403), status(302, { location: `https://[?${secret}` }));
  const url = new URL(`?${secret}`, run.url);
  const options = { maxBytes: 1e8, ca: run.ca, clock: run.clock };
  await downloadFile(url, run.path, options);
  assert.equal(run.requests[0]?.url, `/dump/file.zip?${secret}`);
  for (const name of readdirSync(run.folder)) {
    assert.ok(!readFileSync(join(run.folder, name), 'utf8').includes('secret'), name);
  }
  for (const reason of [/403/, /without a valid Location/]) {
    await assert.rejects(downloadFile(url, run.path, options), (error: Error) => {
      assert.match(error.message, reason);
      return !error.message.includes('secret');
    });
  }
});

test('an aborted download ends at once: during the request, the body or the wait for a retry', async (context) => {
  const isAbort = (error: Error) => error.name === 'AbortError';
  const abortingRequest = new AbortController();
  const silent = await setUp(context, () => abortingRequest.abort());
  await assert.rejects(silent.download({ signal: abortingRequest.signal }), isAbort);

  const abortingBody = new AbortController();
  const stuck = await setUp(context, (_request, response) => {
    response.writeHead(200, { 'content-length': CONTENT.length }).write(CONTENT.subarray(0, 10));
  });
  const onProgress = ({ bytes }: DownloadProgress) => bytes > 0 && abortingBody.abort();
  await assert.rejects(stuck.download({ signal: abortingBody.signal, onProgress }), isAbort);

  const retry = await setUp(context, status(503));
  const abortingRetry = new AbortController();
  const onRetry = () => abortingRetry.abort();
  await assert.rejects(retry.download({ signal: abortingRetry.signal, onRetry, clock: systemClock }), isAbort);
  assert.equal(retry.requests.length, 1);
});

test('the caller may limit the attempts', async (context) => {
  const run = await setUp(context, status(503));
  await assertFails(run, /: the server answered 503 Service Unavailable$/, { maxFailures: 1 });
  assert.deepEqual(run.clock.slept, []);
});

test('a file for which the disk has no room is refused before it is received', async (context) => {
  const run = await setUp(context, (_request, response) => {
    response.writeHead(200, { 'content-length': 2 ** 52 }).write(CONTENT);
  });
  await assertFails(run, /the disk of .* has \d+ bytes free, and the download needs 4503599627370496 bytes/, {
    maxBytes: Number.MAX_SAFE_INTEGER,
  });
});
