import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { browserCommand, openBrowser } from '../../../src/cli/commands/demo-command.ts';

const URL_OF_PAGE = 'https://127.0.0.1:8443/';

test('each platform has its command, and Linux only with a display', () => {
  assert.deepEqual(browserCommand(URL_OF_PAGE, {}, 'darwin'), ['open', URL_OF_PAGE]);
  assert.deepEqual(browserCommand(URL_OF_PAGE, {}, 'win32'), ['cmd', '/c', 'start', '', URL_OF_PAGE]);
  assert.deepEqual(browserCommand(URL_OF_PAGE, { DISPLAY: ':0' }, 'linux'), ['xdg-open', URL_OF_PAGE]);
  assert.deepEqual(browserCommand(URL_OF_PAGE, { WAYLAND_DISPLAY: 'wayland-0' }, 'linux'), ['xdg-open', URL_OF_PAGE]);
  assert.equal(browserCommand(URL_OF_PAGE, { DISPLAY: '' }, 'linux'), undefined);
});

test('a missing program to open a browser is no error', async (context) => {
  context.mock.property(process, 'env', { PATH: '/nonexistent', DISPLAY: ':99' });
  openBrowser(URL_OF_PAGE);
  await nextTurn();
});
