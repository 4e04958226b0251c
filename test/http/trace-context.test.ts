import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pino } from 'pino';
import { withOverrides } from '../support/an-engine.ts';
import { anApp, appEngine } from './an-app.ts';

const TRACE_ID = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN_ID = '00f067aa0ba902b7';
const IDS = { traceId: TRACE_ID, spanId: SPAN_ID };
const TRACEPARENT = `00-${TRACE_ID}-${SPAN_ID}-01`;

type LogLine = Record<string, unknown>;

/** A log that keeps its lines. */
function aLog() {
  const lines: LogLine[] = [];
  return { lines, log: pino({ level: 'info' }, { write: (line: string) => void lines.push(JSON.parse(line)) }) };
}

function idsIn({ traceId, spanId }: LogLine): LogLine {
  return { traceId, spanId };
}

test('a valid traceparent puts trace id and span id into the line of the request', async (t) => {
  const { lines, log } = aLog();
  const { post } = anApp(t, { log });
  const { statusCode, headers, body } = await post('query', 'query=par', { headers: { traceparent: TRACEPARENT } });
  assert.equal(statusCode, 200);
  assert.deepEqual(lines.map(idsIn), [IDS]);
  // the client already has its ids
  assert.equal(JSON.stringify(headers).includes(TRACE_ID) || body.includes(TRACE_ID), false);
});

test('later versions of the header may add fields', async (t) => {
  const { lines, log } = aLog();
  const { request } = anApp(t, { log });
  for (const value of [`01-${TRACE_ID}-${SPAN_ID}-00`, `fe-${TRACE_ID}-${SPAN_ID}-ff-more-to-come`])
    await request({ url: '/healthz', headers: { traceparent: value } });
  assert.deepEqual(lines.map(idsIn), [IDS, IDS]);
});

test('the line of a request that failed has the ids too', async (t) => {
  const { lines, log } = aLog();
  const broken = withOverrides(appEngine, {
    search: () => {
      throw new Error('a bug');
    },
  });
  const { post } = anApp(t, { log, engine: () => broken });
  assert.equal((await post('query', 'query=par', { headers: { traceparent: TRACEPARENT } })).statusCode, 500);
  assert.deepEqual(
    lines.map((line) => ({ msg: line.msg, ...idsIn(line) })),
    [
      { msg: 'a request failed', ...IDS },
      { msg: 'answered', ...IDS },
    ],
  );
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

for (const [what, traceparent] of Object.entries(INVALID)) {
  test(`an invalid traceparent is ignored: ${what}`, async (t) => {
    const { lines, log } = aLog();
    const { request } = anApp(t, { log });
    const headers = traceparent === undefined ? {} : { traceparent };
    assert.equal((await request({ url: '/healthz', headers })).statusCode, 200);
    assert.deepEqual(
      lines.map((line) => Object.keys(line)),
      [['level', 'time', 'pid', 'hostname', 'reqId', 'method', 'path', 'status', 'ms', 'msg']],
    );
  });
}
