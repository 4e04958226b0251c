import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { pino } from 'pino';
import { withOverrides } from '../../../../test/support/an-engine.ts';
import type { AppOptions } from '../../src/http/app.ts';
import { anApp, appEngine } from './an-app.ts';

const TRACE_ID = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN_ID = '00f067aa0ba902b7';
const IDS = { traceId: TRACE_ID, spanId: SPAN_ID };
const TRACEPARENT = `00-${TRACE_ID}-${SPAN_ID}-01`;

/** An application, and the lines of its log. */
function aLoggedApp(t: TestContext, options: Partial<AppOptions> = {}) {
  const lines: Record<string, unknown>[] = [];
  const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(JSON.parse(line)) });
  const shown = () => lines.splice(0).map(({ msg, traceId, spanId }) => ({ msg, traceId, spanId }));
  return { ...anApp(t, { log, ...options }), lines, shown };
}

test('a valid traceparent puts trace id and span id into the line of the request, and not into the response', async (t) => {
  const { post, shown } = aLoggedApp(t);
  // later versions of the header may add fields
  const later = [`01-${TRACE_ID}-${SPAN_ID}-00`, `fe-${TRACE_ID}-${SPAN_ID}-ff-more-to-come`];
  for (const traceparent of [TRACEPARENT, ...later]) {
    const { statusCode, headers, body } = await post('query', 'query=par', { headers: { traceparent } });
    assert.equal(statusCode, 200);
    assert.deepEqual(shown(), [{ msg: 'answered', ...IDS }], traceparent);
    assert.equal(JSON.stringify(headers).includes(TRACE_ID) || body.includes(TRACE_ID), false);
  }
});

test('the line of a request that failed has the ids too', async (t) => {
  const broken = withOverrides(appEngine, { search: () => assert.fail('a bug') });
  const { post, shown } = aLoggedApp(t, { engine: () => broken });
  assert.equal((await post('query', 'query=par', { headers: { traceparent: TRACEPARENT } })).statusCode, 500);
  assert.deepEqual(shown(), [
    { msg: 'a request failed', ...IDS },
    { msg: 'answered', ...IDS },
  ]);
});

const INVALID = {
  'no header': undefined,
  'an empty header': '',
  'upper case': TRACEPARENT.toUpperCase(),
  'version ff': `ff-${TRACE_ID}-${SPAN_ID}-01`,
  'a trace id of zeros': `00-${'0'.repeat(32)}-${SPAN_ID}-01`,
  'a span id of zeros': `00-${TRACE_ID}-${'0'.repeat(16)}-01`,
  'a short trace id': `00-${TRACE_ID.slice(1)}-${SPAN_ID}-01`,
  'a long span id': `00-${TRACE_ID}-${SPAN_ID}0-01`,
  'no flags': `00-${TRACE_ID}-${SPAN_ID}`,
  'an added field in version 00': `${TRACEPARENT}-more`,
  'text after a later version': `01-${TRACE_ID}-${SPAN_ID}-01more`,
  'two headers': `${TRACEPARENT}, ${TRACEPARENT}`,
  'a script': '<script>alert(1)</script>',
};

test('an invalid traceparent is ignored', async (t) => {
  const { request, lines } = aLoggedApp(t);
  const fields = ['level', 'time', 'pid', 'hostname', 'reqId', 'method', 'path', 'status', 'ms', 'msg'];
  for (const [what, traceparent] of Object.entries(INVALID)) {
    const headers = traceparent === undefined ? {} : { traceparent };
    assert.equal((await request({ url: '/healthz', headers })).statusCode, 200);
    assert.deepEqual(Object.keys(lines.pop() ?? {}), fields, what);
  }
});
