/**
 * The index of the embedded data, built once for all tests and cached until code or data change. The
 * first process of a run verifies or builds it, and the others wait.
 */
import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { embeddedIndexName, ensureEmbeddedIndex } from 'toponym-gazetteer/datasets/embedded-index';
import { TEST_CACHE } from './environment.ts';
import { oncePerRun } from './once-per-run.ts';

const folder = join(TEST_CACHE, 'toponym');
const IN_USE_MS = 1_800_000;

let built: Promise<string> | undefined;

/** Returns the path of the index file, which tests must not change. */
export function builtIndex(): Promise<string> {
  built ??= build();
  return built;
}

async function build(): Promise<string> {
  const path = join(folder, embeddedIndexName());
  await oncePerRun('built-index', async () => {
    mkdirSync(folder, { recursive: true });
    await ensureEmbeddedIndex(path);
    removeOld(path);
  });
  return path;
}

/** Removes indexes of other versions of the code, unless a recent test run may still use them. */
function removeOld(current: string): void {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (!name.endsWith('.toponym') || path === current) continue;
    const stat = statSync(path, { throwIfNoEntry: false });
    if (stat !== undefined && stat.mtimeMs < Date.now() - IN_USE_MS) rmSync(path, { force: true });
  }
}

// the test command builds the index before it starts the tests
if (import.meta.main) await builtIndex();
