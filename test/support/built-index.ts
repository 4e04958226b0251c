/**
 * The index of the embedded data, built once for all tests and kept until the code or the data it depends on changes.
 * Several test processes may ask at once: the first builds, the others wait for it.
 */
import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { embeddedIndexName, ensureEmbeddedIndex } from '../../src/datasets/embedded-index.ts';

/** Instead of the user's cache, which tests leave alone. */
export const TEST_CACHE = fileURLToPath(new URL('../../node_modules/.cache/toponym-test', import.meta.url));

const folder = join(TEST_CACHE, 'toponym');
const KEEP_MS = 1_800_000;

let built: Promise<string> | undefined;

/** The path of the index file; tests must not change it. */
export function builtIndex(): Promise<string> {
  built ??= build();
  return built;
}

async function build(): Promise<string> {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, embeddedIndexName());
  await ensureEmbeddedIndex(path);
  removeOld(path);
  return path;
}

/** Indexes of other states of the code, unless somebody may still be testing with them. */
function removeOld(current: string): void {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (!name.endsWith('.toponym') || path === current) continue;
    const stat = statSync(path, { throwIfNoEntry: false });
    if (stat !== undefined && stat.mtimeMs < Date.now() - KEEP_MS) rmSync(path, { force: true });
  }
}
