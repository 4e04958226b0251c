import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { setImmediate as nextTick } from 'node:timers/promises';
import { waitUntil } from '../../../../../test/support/deadline.ts';
import { MAX_BODY_BYTES, toRequestBody } from '../../../src/http/request/body.ts';
import { anApp, listen } from '../an-app.ts';

const FORM = 'application/x-www-form-urlencoded';

/** A listening application, the head of a call, and a function that opens a connection. */
async function listening(t: TestContext) {
  const { app, key } = anApp(t);
  const port = await listen(app);
  const head = (...lines: string[]) =>
    ['POST /api/1/query HTTP/1.1', 'Host: a', `X-Service-Key: ${key}`, ...lines, '', ''].join('\r\n');
  /** Both ends of a new connection. */
  const open = async () => {
    const accepted = once(app.server, 'connection');
    const socket = connect(port, '127.0.0.1');
    const [served] = (await accepted) as [Socket];
    return { socket, served };
  };
  return { head, open };
}

type Connection = { readonly socket: Socket; readonly served: Socket };

/** Writes each part after the server has read the one before. */
async function writeInParts({ socket, served }: Connection, parts: readonly string[]): Promise<void> {
  let sent = served.bytesRead;
  for (const part of parts) {
    socket.write(part);
    sent += Buffer.byteLength(part);
    await waitUntil('the server has read the part', () => served.bytesRead >= sent || served.destroyed);
    await nextTick();
    await nextTick();
  }
}

/** Status and query or error code of each response on a connection. */
async function responsesOn(socket: Socket): Promise<[number, string][]> {
  const all = await text(socket);
  return all
    .split('HTTP/1.1 ')
    .slice(1)
    .map((response) => {
      const { query, code } = JSON.parse(response.slice(response.indexOf('\r\n\r\n')));
      return [Number(response.slice(0, 3)), query ?? code];
    });
}

const LAST = 'Connection: close';

test('a body is read whether it comes with the head, after it, in pieces or in chunks', async (t) => {
  const { head, open } = await listening(t);
  const plain = head(`Content-Type: ${FORM}`, 'Content-Length: 14', LAST);
  const chunked = head(`Content-Type: ${FORM}`, 'Transfer-Encoding: chunked', LAST);
  const ways = [
    [`${plain}query=s%C3%A3o`],
    [plain, 'query=s%C3%A3o'],
    [`${plain}query=`, 's%', 'C3%A3o'],
    [`${chunked}6\r\nquery=\r\n`, '8\r\ns%C3%A3o\r\n', '0\r\n\r\n'],
    [`${chunked}6\r\nquery=\r\n8\r\ns%C3%A3o\r\n0\r\n\r\n`],
  ];
  for (const way of ways) {
    const connection = await open();
    await writeInParts(connection, way);
    assert.deepEqual(await responsesOn(connection.socket), [[200, 'são']], JSON.stringify(way));
  }
});

test('pipelined requests are answered in order, each by its own body', async (t) => {
  const { head, open } = await listening(t);
  const { socket } = await open();
  const requests = ['par', 'mon', 'texas'].map((query, i) => {
    const body = `query=${query}`;
    return head(`Content-Type: ${FORM}`, `Content-Length: ${body.length}`, ...(i === 2 ? [LAST] : [])) + body;
  });
  socket.write(requests.join(''));
  assert.deepEqual(await responsesOn(socket), [
    [200, 'par'],
    [200, 'mon'],
    [200, 'texas'],
  ]);
});

test('a body of 16 KiB is read; one byte more is refused, by Content-Length or while reading', async (t) => {
  const { head, open } = await listening(t);
  const body = (bytes: number) => `{"query":"par"${' '.repeat(bytes - 15)}}`;
  const send = async (...parts: string[]) => {
    const connection = await open();
    connection.socket.on('error', () => {});
    await writeInParts(connection, parts);
    return await responsesOn(connection.socket);
  };
  const json = 'Content-Type: application/json';
  const withLength = (bytes: number, ...lines: string[]) => head(json, `Content-Length: ${bytes}`, ...lines);
  const inChunks = head(json, 'Transfer-Encoding: chunked');
  const chunk = `2000\r\n${' '.repeat(0x2000)}\r\n`;
  const whole = body(MAX_BODY_BYTES);
  assert.deepEqual(await send(withLength(MAX_BODY_BYTES, LAST) + whole), [[200, 'par']]);
  assert.deepEqual(await send(withLength(MAX_BODY_BYTES, LAST), whole.slice(0, 9000), whole.slice(9000)), [
    [200, 'par'],
  ]);
  // the connection is closed, so that the body is not parsed as a request
  assert.deepEqual(await send(withLength(MAX_BODY_BYTES + 1)), [[413, 'body_too_large']]);
  assert.deepEqual(await send(inChunks, chunk, chunk, chunk), [[413, 'body_too_large']]);
  assert.deepEqual(await send(withLength(MAX_BODY_BYTES + 1, LAST) + body(MAX_BODY_BYTES + 1)), [
    [413, 'body_too_large'],
  ]);
});

test('a body of the wrong type leaves the connection open; one that is too large closes it', async (t) => {
  const { head, open } = await listening(t);
  const { socket } = await open();
  const large = ' '.repeat(MAX_BODY_BYTES + 1);
  const requests = [
    `${head('Content-Type: text/csv', 'Content-Length: 9')}query=par`,
    head(),
    head('Content-Type: application/json', `Content-Length: ${large.length}`) + large,
    `${head(`Content-Type: ${FORM}`, 'Content-Length: 9', LAST)}query=par`,
  ];
  socket.write(requests.join(''));
  assert.deepEqual(await responsesOn(socket), [
    [415, 'unsupported_media_type'],
    [200, ''],
    [413, 'body_too_large'],
  ]);
});

test('a client that disconnects in the middle of its body leaves nothing behind', async (t) => {
  const { head, open } = await listening(t);
  const connection = await open();
  await writeInParts(connection, [head(`Content-Type: ${FORM}`, 'Content-Length: 99'), 'query=par']);
  const closed = once(connection.served, 'close');
  connection.socket.destroy();
  await closed;
  const { socket } = await open();
  socket.write(`${head(`Content-Type: ${FORM}`, 'Content-Length: 9', LAST)}query=mon`);
  assert.deepEqual(await responsesOn(socket), [[200, 'mon']]);
});

test('Content-Type determines the format of a body; another type is refused unless the body is empty', () => {
  const read = (type: string | undefined, body = 'x', encoding?: string) => {
    const headers = { ...(type && { 'content-type': type }), ...(encoding && { 'content-encoding': encoding }) };
    return toRequestBody(headers, Buffer.from(body))?.format;
  };
  for (const type of [FORM, 'Application/X-WWW-Form-URLencoded', `${FORM};charset=UTF-8`, `${FORM} ; charset="utf8"`]) {
    assert.equal(read(type), 'form', type);
  }
  for (const type of ['application/json', 'APPLICATION/JSON; charset=utf-8', 'application/json; a=b']) {
    assert.equal(read(type), 'json', type);
  }
  assert.equal(read(FORM, 'x', 'Identity'), 'form');
  const refused = [
    undefined,
    '',
    ';',
    'text/plain',
    `${FORM}2`,
    `${FORM}; charset=latin1`,
    'multipart/form-data',
    '__proto__',
  ];
  for (const type of refused) {
    assert.throws(() => read(type), { code: 'unsupported_media_type' }, type);
    assert.equal(read(type, ''), undefined, type);
  }
  assert.throws(() => read(FORM, 'x', 'gzip'), { code: 'unsupported_media_type' });
});
