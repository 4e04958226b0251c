import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as zlib from 'node:zlib';
import fc from 'fast-check';
import { crc32 } from '../../src/collections/crc32.ts';

test('the checksum equals that of zlib', () => {
  fc.assert(fc.property(fc.uint8Array(), (bytes) => assert.equal(crc32(bytes), zlib.crc32(bytes))));
});
