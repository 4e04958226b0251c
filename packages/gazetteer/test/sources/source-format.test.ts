import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { InputFile } from '../../src/sources/input/input-files.ts';
import { describeContents } from '../../src/sources/source-format.ts';

function aFile(content: string | Buffer): InputFile {
  const read = async function* () {
    yield Buffer.from(content);
  };
  return { label: 'a', name: 'a', path: 'a', read };
}

const EMPTY_LINES = '\r\n'.repeat(20);
const EXAMPLES: readonly (readonly [string, string | Buffer, string])[] = [
  ['no bytes', '', 'is empty'],
  ['empty lines', EMPTY_LINES, 'contains only white space'],
  ['a table', 'a\tb\tc\r\nd\te\tf\tg\n', 'looks like a table of 3 tab-separated columns'],
  ['a table after empty lines', `${EMPTY_LINES}a\tb\tc\n`, 'looks like a table of 3 tab-separated columns'],
  ['commas', 'a,b\nc,d\n', 'looks like comma-separated values (CSV)'],
  ['text after empty lines', `${EMPTY_LINES}Hello\n`, 'looks like plain text'],
  ['NDJSON', '{"a":1}\n{"a":2}\n', 'looks like NDJSON (one JSON object per line)'],
  ['NDJSON after empty lines', `${EMPTY_LINES}{"a":1}\r\n{"a":2}\n`, 'looks like NDJSON (one JSON object per line)'],
  ['JSON over several lines', '{\n"a":1\n}\n', 'looks like JSON'],
  ['a web page', '\n<!DOCTYPE html><html>', 'looks like a web page (HTML)'],
  ['an index', 'TOPONYM\n\0', 'looks like a Toponym index, which is already built'],
  ['other bytes', Buffer.from([0, 1, 2]), 'looks like binary data'],
];

for (const [contents, content, description] of EXAMPLES) {
  test(`the description of a file with ${contents}`, async () => {
    assert.equal(await describeContents(aFile(content)), description);
  });
}
