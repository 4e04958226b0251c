import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { totalmem } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { maxDescriptors, memoryLimitBytes } from '../../../src/serve/metrics/process-limits.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

test('the limit of descriptors is the soft limit of /proc/self/limits', (context) => {
  const file = join(temporaryFolder(context), 'limits');
  const write = (limits: string) => writeFileSync(file, `Max cpu time  unlimited\nMax open files  ${limits}  files\n`);
  write('1024   524288');
  assert.equal(maxDescriptors(file), 1024);
  write('unlimited   unlimited');
  assert.equal(maxDescriptors(file), Number.POSITIVE_INFINITY);
  writeFileSync(file, 'something else\n');
  assert.equal(maxDescriptors(file), undefined);
  assert.equal(maxDescriptors(`${file}.missing`), undefined);
});

test('the limit of memory is at most the memory of the machine', () => {
  assert.ok(memoryLimitBytes() > 0 && memoryLimitBytes() <= totalmem());
});
