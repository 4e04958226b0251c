import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseCidr } from 'toponym-access/address';
import { UsageError } from 'toponym-files/errors/errors';
import {
  type CompatSettings,
  checkCompatSettings,
  parseHost,
  parseHostName,
  warnOfCompatSettings,
} from '../../src/compat/compat-settings.ts';

const OPEN: CompatSettings = {
  compat: ['photon'],
  compatListen: { host: '127.0.0.1', port: 2322 },
  compatFrom: undefined,
  compatOpen: true,
  compatHosts: [],
};

test('the host of a request is read without port, brackets, the dot at its end, and upper case', () => {
  const hosts = {
    'Geocoder.LAN:2322': 'geocoder.lan',
    'localhost.': 'localhost',
    '[::1]:2322': '::1',
    '0x7f.1': '127.0.0.1', // browsers write addresses in this form, too
    'bücher.example': 'xn--bcher-kva.example',
    '': undefined,
    'a b': undefined,
    'localhost@example.com': undefined,
    'example.com/localhost': undefined,
    'a:b': undefined,
    [`${'a'.repeat(300)}.b`]: undefined,
  };
  for (const [text, host] of Object.entries(hosts)) assert.equal(parseHost(text), host, text);
});

test('a host name of the settings has neither port nor wildcard', () => {
  assert.deepEqual(['Geocoder.LAN', '10.0.0.1'].map(parseHostName), ['geocoder.lan', '10.0.0.1']);
  for (const text of ['geocoder.lan:2322', '*.lan', 'http://geocoder.lan', ''])
    assert.equal(parseHostName(text), undefined);
});

test('host names need a listener without keys', () => {
  checkCompatSettings({ ...OPEN, compatHosts: ['geocoder.lan'] });
  const refused = () => checkCompatSettings({ ...OPEN, compatOpen: false, compatHosts: ['geocoder.lan'] });
  assert.throws(
    refused,
    (error: Error) => error instanceof UsageError && /--compat-hosts needs --compat-open/.test(error.message),
  );
});

test('public addresses that need no key are worth a warning', () => {
  const warningsOf = (compatFrom: string[] | undefined, compatOpen = true) => {
    const warnings: string[] = [];
    const blocks = compatFrom?.map((block) => parseCidr(block)!);
    warnOfCompatSettings({ ...OPEN, compatOpen, compatFrom: blocks }, { warn: (text) => warnings.push(text) });
    return warnings.join();
  };
  for (const block of [
    '0.0.0.0/0',
    '::/0',
    '203.0.113.0/24',
    '10.0.0.0/7',
    '172.16.0.0/11',
    '2001:db8::/32',
    'fc00::/6',
  ])
    assert.match(
      warningsOf(['192.168.0.0/16', block]),
      /without a key, and --compat-from includes [\d.:a-f]+\/\d+: anyone/,
      block,
    );
  for (const block of ['10.0.0.0/8', '172.20.1.0/24', '127.0.0.1', '::1', 'fd00::/8'])
    assert.equal(warningsOf([block]), '');
  assert.equal(warningsOf(undefined), '');
  assert.equal(warningsOf(['0.0.0.0/0'], false), '');
});
