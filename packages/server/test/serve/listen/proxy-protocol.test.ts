import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseProxyHeader } from '../../../src/serve/listen/proxy-gate.ts';
import { rawV2Header, V2_SIGNATURE, v1Header, v2Header } from './proxy-headers.ts';

/** `the proxy itself` for a complete header without a client, or the kind of any other header. */
function clientOf(bytes: Buffer): string {
  const header = parseProxyHeader(bytes);
  if (header.kind !== 'complete') return header.kind;
  return header.client === undefined ? 'the proxy itself' : 'a client';
}

test('UNKNOWN, LOCAL and protocols other than TCP mean the proxy itself', () => {
  const unknown = Buffer.from('PROXY UNKNOWN ffff::1 ffff::2 65535 65535\r\n');
  const unspecified = rawV2Header(0x21, 0x00, Buffer.alloc(0));
  const unix = rawV2Header(0x21, 0x31, Buffer.alloc(216, 47));
  const datagram = rawV2Header(0x21, 0x12, Buffer.alloc(12, 1));
  for (const header of [v1Header(), v2Header(), unknown, unspecified, unix, datagram])
    assert.equal(clientOf(header), 'the proxy itself');
});

test('extensions are skipped, and the length says where the request begins', () => {
  const header = v2Header('192.0.2.1', Buffer.from([0x04, 0, 3, 1, 2, 3, 0x05, 0, 0]));
  assert.deepEqual(parseProxyHeader(Buffer.concat([header, Buffer.from('GET / HTTP/1.1\r\n')])), {
    kind: 'complete',
    length: header.length,
    client: { family: 4, bytes: [192, 0, 2, 1] },
  });
  const line = v1Header('192.0.2.1');
  const parsed = parseProxyHeader(Buffer.concat([line, line]));
  assert.equal(parsed.kind === 'complete' && parsed.length, line.length);
});

const INVALID_HEADERS: readonly (readonly [string, Buffer])[] = [
  ['an HTTP request', Buffer.from('GET / HTTP/1.1\r\n')],
  ['a TLS handshake', Buffer.from([0x16, 3, 1, 2, 0])],
  ['lower case', Buffer.from('proxy TCP4 192.0.2.1 192.0.2.2 1 2\r\n')],
  ['an unknown protocol', Buffer.from('PROXY UDP4 192.0.2.1 192.0.2.2 1 2\r\n')],
  ['another family than the protocol says', Buffer.from('PROXY TCP4 2001:db8::1 192.0.2.2 1 2\r\n')],
  ['a bad destination', Buffer.from('PROXY TCP4 192.0.2.1 192.0.2 1 2\r\n')],
  ['an address out of range', Buffer.from('PROXY TCP4 192.0.2.256 192.0.2.2 1 2\r\n')],
  ['a port out of range', Buffer.from('PROXY TCP4 192.0.2.1 192.0.2.2 1 65536\r\n')],
  ['a port with a leading zero', Buffer.from('PROXY TCP4 192.0.2.1 192.0.2.2 01 2\r\n')],
  ['a missing port', Buffer.from('PROXY TCP4 192.0.2.1 192.0.2.2 1\r\n')],
  ['two spaces', Buffer.from('PROXY  TCP4 192.0.2.1 192.0.2.2 1 2\r\n')],
  ['a line of more than 107 bytes', Buffer.from(`PROXY UNKNOWN ${'a'.repeat(100)}\r\n`)],
  ['a line without end', Buffer.from(`PROXY TCP4 ${'1'.repeat(200)}`)],
  ['version 1 in binary form', rawV2Header(0x11, 0x11, Buffer.alloc(12))],
  ['an unknown command', rawV2Header(0x22, 0x11, Buffer.alloc(12))],
  ['an unknown address family', rawV2Header(0x21, 0x41, Buffer.alloc(12))],
  ['an unknown transport', rawV2Header(0x21, 0x13, Buffer.alloc(12))],
  ['too few bytes for IPv4', rawV2Header(0x21, 0x11, Buffer.alloc(11))],
  ['too few bytes for IPv6', rawV2Header(0x21, 0x21, Buffer.alloc(35))],
  ['more than 4096 bytes', Buffer.from([...V2_SIGNATURE, 0x21, 0x11, 0x10, 0x01])],
];

test('bytes that follow neither version are no header', () => {
  for (const [name, bytes] of INVALID_HEADERS) assert.equal(clientOf(bytes), 'invalid', name);
});

const anIpAddress = fc.oneof(fc.ipV4(), fc.ipV6());
const aHeader = fc.oneof(
  fc.option(anIpAddress, { nil: undefined }).map((source) => v1Header(source)),
  fc
    .tuple(fc.option(anIpAddress, { nil: undefined }), fc.uint8Array({ maxLength: 300 }))
    .map(([source, extensions]) => v2Header(source, Buffer.from(extensions))),
);

test('every part of a header is incomplete, and bytes after a header change nothing', () => {
  fc.assert(
    fc.property(aHeader, fc.uint8Array({ maxLength: 100 }), (header, rest) => {
      const whole = parseProxyHeader(header);
      assert.equal(whole.kind === 'complete' && whole.length, header.length);
      for (let end = 0; end < header.length; end++)
        assert.equal(parseProxyHeader(header.subarray(0, end)).kind, 'incomplete');
      assert.deepEqual(parseProxyHeader(Buffer.concat([header, rest])), whole);
    }),
  );
});

test('random bytes never throw, and are incomplete only up to the maximum length', () => {
  const start = fc.constantFrom('', 'PROXY ', 'PROXY TCP4 ', 'PROXY TCP6 ', V2_SIGNATURE.toString('latin1'));
  fc.assert(
    fc.property(start, fc.uint8Array({ maxLength: 5000, size: 'max' }), (text, random) => {
      const bytes = Buffer.concat([Buffer.from(text, 'latin1'), random]);
      const header = parseProxyHeader(bytes);
      if (header.kind === 'complete') assert.ok(header.length <= bytes.length);
      if (bytes.length >= 16 + 4096) assert.notEqual(header.kind, 'incomplete');
    }),
  );
});
