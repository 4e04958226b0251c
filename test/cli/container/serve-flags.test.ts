import assert from 'node:assert/strict';
import { test } from 'node:test';
import { serveFlags } from '../../../src/cli/container/serve-flags.ts';

function commandLine(...words: string[]): string {
  return words.map((word) => `${word}\0`).join('');
}

test('the flags of a running service are read from its command line', () => {
  const flags = serveFlags(
    commandLine('node', '/app/bin/toponym.js', 'serve', '--port', '9000', '--host=::', '--json'),
  );
  assert.deepEqual(flags, { port: '9000', host: '::' });
});

test('the words of an init program before the command do not matter', () => {
  const flags = serveFlags(commandLine('/sbin/docker-init', '--', 'toponym', 'serve', '--behind-proxy'));
  assert.deepEqual(flags, { behindProxy: true });
});

test('another program has no flags of a service', () => {
  assert.deepEqual(serveFlags(commandLine('/sbin/init', '--port', '9000')), {});
  assert.deepEqual(serveFlags(''), {});
});
