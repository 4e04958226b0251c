import assert from 'node:assert/strict';
import { BlockList, type Socket } from 'node:net';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  type Address,
  callerAddress,
  formatAddress,
  isInAny,
  limitGroup,
  parseAddress,
  parseCidr,
} from '../src/address.ts';

function groupOf(text: string): string | undefined {
  const address = parseAddress(text);
  return address && limitGroup(address);
}

test('an IPv4 address in any notation is one limit group', () => {
  for (const text of [
    '192.0.2.1',
    '::ffff:192.0.2.1',
    '::ffff:c000:201',
    '0:0:0:0:0:ffff:192.0.2.1',
    '::FFFF:192.0.2.1',
  ]) {
    assert.equal(groupOf(text), '192.0.2.1', text);
  }
});

test('IPv6 addresses are grouped by their /64', () => {
  assert.equal(groupOf('2001:db8:1:2::1'), groupOf('2001:db8:1:2:ffff:ffff:ffff:ffff'));
  assert.notEqual(groupOf('2001:db8:1:2::1'), groupOf('2001:db8:1:3::1'));
  assert.equal(groupOf('fe80::1%eth0'), groupOf('fe80::2'));
  assert.equal(groupOf('::1'), '0:0:0:0::/64');
});

test('malformed addresses are refused', () => {
  for (const text of [
    '',
    '1.2.3',
    '256.1.1.1',
    '01.2.3.4',
    '1.2.3.4.5',
    '::g',
    ':::',
    'localhost',
    '[::1]',
    ' 1.2.3.4',
    '1.2.3.4/32',
  ]) {
    assert.equal(parseAddress(text), undefined, text);
  }
});

test('a formatted address parses back to itself', () => {
  fc.assert(
    fc.property(fc.oneof(fc.ipV4(), fc.ipV6()), (text) => {
      const address = parseAddress(text) as Address;
      assert.deepEqual(parseAddress(formatAddress(address)), address);
    }),
  );
});

test('CIDR matching agrees with node:net', () => {
  fc.assert(
    fc.property(fc.ipV4(), fc.integer({ min: 0, max: 32 }), fc.ipV4(), (net, bits, probe) => {
      const blocks = new BlockList();
      blocks.addSubnet(net, bits);
      assert.equal(matches(probe, `${net}/${bits}`), blocks.check(probe));
    }),
  );
  fc.assert(
    fc.property(fc.ipV6(), fc.integer({ min: 0, max: 128 }), fc.nat(127), (net, bits, flip) => {
      const address = parseAddress(net);
      fc.pre(address?.family === 6);
      const bytes = [...address.bytes];
      bytes[flip >> 3] = (bytes[flip >> 3] ?? 0) ^ (0x80 >> (flip & 7));
      const probe = formatAddress({ family: 6, bytes });
      fc.pre(parseAddress(probe)?.family === 6);
      const blocks = new BlockList();
      blocks.addSubnet(net, bits, 'ipv6');
      assert.equal(matches(probe, `${net}/${bits}`), blocks.check(probe, 'ipv6'));
    }),
  );
});

test('CIDR blocks match only their own address family, except for mapped addresses', () => {
  assert.equal(matches('10.1.2.3', '::/0'), false);
  assert.equal(matches('2001:db8::1', '0.0.0.0/0'), false);
  assert.equal(matches('::ffff:10.1.2.3', '10.0.0.0/8'), true);
  assert.equal(matches('10.1.2.3', '::ffff:10.0.0.0/104'), true);
  assert.equal(matches('10.1.2.3', '10.1.2.3'), true);
});

test('malformed CIDR blocks are refused', () => {
  for (const text of [
    '',
    '/8',
    '10.0.0.0/',
    '10.0.0.0/33',
    '10.0.0.0/-1',
    '10.0.0.0/8/8',
    '::/129',
    '10.0/8',
    '::ffff:10.0.0.0/8',
  ]) {
    assert.equal(parseCidr(text), undefined, text);
  }
});

test('X-Forwarded-For is ignored unless the peer is a trusted proxy', () => {
  assert.equal(client('198.51.100.1', '203.0.113.9', []), '198.51.100.1');
  assert.equal(client('198.51.100.1', '203.0.113.9', ['10.0.0.0/8']), '198.51.100.1');
});

test('X-Forwarded-For is read from the right past trusted proxies only, so that a client cannot choose its address', () => {
  const trusted = ['10.0.0.0/8', '2001:db8::/32'];
  assert.equal(client('10.0.0.1', '203.0.113.9', trusted), '203.0.113.9');
  assert.equal(client('10.0.0.1', '1.1.1.1, 203.0.113.9', trusted), '203.0.113.9');
  assert.equal(client('::ffff:10.0.0.1', '1.1.1.1,203.0.113.9 , 2001:db8::5,10.2.3.4', trusted), '203.0.113.9');
  assert.equal(client('10.0.0.1', '10.0.0.3, 10.0.0.2', trusted), '10.0.0.3');
});

test('X-Forwarded-For entries may have ports, and reading stops at a malformed entry', () => {
  const trusted = ['10.0.0.0/8'];
  assert.equal(client('10.0.0.1', '203.0.113.9:4711', trusted), '203.0.113.9');
  assert.equal(client('10.0.0.1', '[2a00::1]:4711', trusted), '2a00:0:0:0:0:0:0:1');
  assert.equal(client('10.0.0.1', '203.0.113.9, unknown', trusted), '10.0.0.1');
  assert.equal(client('10.0.0.1', '203.0.113.9, nonsense, 10.0.0.2', trusted), '10.0.0.2');
  assert.equal(client('10.0.0.1', '', trusted), '10.0.0.1');
});

test('a peer on a Unix socket has the loopback address', () => {
  assert.equal(client(undefined, '203.0.113.9', []), '127.0.0.1');
  assert.equal(client(undefined, '203.0.113.9', ['127.0.0.0/8']), '203.0.113.9');
});

function matches(address: string, cidr: string): boolean {
  const parsedAddress = parseAddress(address);
  const parsedCidr = parseCidr(cidr);
  assert.ok(parsedAddress && parsedCidr, `${address} or ${cidr} was refused`);
  return isInAny(parsedAddress, [parsedCidr]);
}

function client(peer: string | undefined, forwardedFor: string, trusted: readonly string[]): string {
  const socket = { remoteAddress: peer } as Socket;
  const cidrs = trusted.map(parseCidr).filter((cidr) => cidr !== undefined);
  return formatAddress(callerAddress({ socket, headers: { 'x-forwarded-for': forwardedFor } }, cidrs));
}
