import assert from 'node:assert/strict';
import { test } from 'node:test';
import { joinLines, joinText, renderText, styled } from '../../../src/cli/print/styled-text.ts';

const TERMINAL = { isTTY: true };
const PIPE = { isTTY: false };

test('styles appear on a terminal and nowhere else', (context) => {
  context.mock.property(process, 'env', { TERM: 'xterm' });
  const text = joinLines([joinText([styled('problem', 'toponym:'), ' failed']), 'plain']);
  assert.equal(renderText(text, TERMINAL), '\u001b[1m\u001b[31mtoponym:\u001b[39m\u001b[22m failed\nplain');
  assert.equal(renderText(text, PIPE), 'toponym: failed\nplain');
  assert.equal(String(text), 'toponym: failed\nplain');
});

test('data cannot send an escape sequence, not even that of a style', (context) => {
  context.mock.property(process, 'env', { TERM: 'xterm' });
  const hostile = '\u001b[31mred\u001b[39m\u009b2J\u0007';
  const shown = '\\x1b[31mred\\x1b[39m\\x9b2J\\x07';
  assert.equal(renderText(hostile, TERMINAL), shown);
  assert.equal(renderText(styled('faint', hostile), TERMINAL), `\u001b[2m${shown}\u001b[22m`);
});
