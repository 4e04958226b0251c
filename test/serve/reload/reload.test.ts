import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { FileWatch } from '../../../src/serve/reload/file-watch.ts';
import { IndexLocation } from '../../../src/serve/reload/reload.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** A location of real files, of which the embedded one exists. */
function aLocation(context: TestContext) {
  const folder = temporaryFolder(context);
  const embedded = join(folder, 'embedded.toponym');
  const updated = join(folder, 'updated.toponym');
  writeFileSync(embedded, 'embedded');
  return { embedded, updated, location: new IndexLocation(embedded, updated) };
}

test('the updated index is read as soon as it exists', (context) => {
  const { location, embedded, updated } = aLocation(context);
  assert.equal(location.path, embedded);
  writeFileSync(updated, 'one');
  assert.equal(location.path, updated);
});

test('an updated index that was never served may disappear; one that is being served may not', (context) => {
  const { location, embedded, updated } = aLocation(context);
  writeFileSync(updated, 'refused');
  rmSync(updated);
  assert.equal(location.path, embedded);
  writeFileSync(updated, 'one');
  location.markServed(updated);
  rmSync(updated);
  assert.equal(location.path, updated);
});

test('a given index stays the only one', (context) => {
  const { embedded, updated } = aLocation(context);
  writeFileSync(updated, 'one');
  assert.equal(new IndexLocation(embedded, undefined).path, embedded);
});

test('a watch reports the updated index when it appears, and when it disappears without having been served', (context) => {
  const { location, updated } = aLocation(context);
  const events: string[] = [];
  const watch = new FileWatch(() => [location.path], {
    onChange: () => events.push('change'),
    onProblem: (problem) => events.push(problem),
  });
  const pollTwice = () => {
    events.length = 0;
    watch.poll();
    watch.poll();
    return [...events];
  };
  assert.deepEqual(pollTwice(), []);
  writeFileSync(updated, 'one');
  assert.deepEqual(pollTwice(), ['change']);
  watch.markRead(); // and refused
  assert.deepEqual(pollTwice(), []);
  rmSync(updated);
  assert.deepEqual(pollTwice(), ['change']);
});
