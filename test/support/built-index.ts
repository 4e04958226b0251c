/**
 * The index of the embedded data, built once for all tests and kept until the code or the data it depends on changes.
 * Several test processes may ask at once: the first builds, the others wait for it.
 */
import { createHash } from 'node:crypto';
import { globSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { ensureEmbeddedIndex } from '../../src/cli/embedded-index.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const cache = join(root, 'node_modules', '.cache', 'toponym-test');
const KEEP_MS = 1_800_000;
// what decides the bytes of the index
const INPUTS = ['package-lock.json', 'src/{place,text,sources,build,index-file}/**/*.ts'];

let built: Promise<string> | undefined;

/** The path of the index file; tests must not change it. */
export function builtIndex(): Promise<string> {
  built ??= build();
  return built;
}

async function build(): Promise<string> {
  const folder = join(cache, inputsHash());
  mkdirSync(folder, { recursive: true });
  // SQLite's lock on a file: it ends with the process that holds it, however that ends
  const lock = new DatabaseSync(join(cache, 'lock.sqlite'), { timeout: 300_000 });
  try {
    lock.exec('BEGIN EXCLUSIVE');
    const path = join(folder, 'embedded.toponym');
    await ensureEmbeddedIndex(path);
    removeOld(folder);
    return path;
  } finally {
    lock.close();
  }
}

/** Indexes of other states of the code, unless somebody may still be testing with them. */
function removeOld(current: string): void {
  for (const name of readdirSync(cache)) {
    const path = join(cache, name);
    const stat = statSync(path);
    if (stat.isDirectory() && path !== current && stat.mtimeMs < Date.now() - KEEP_MS)
      rmSync(path, { recursive: true });
  }
}

function inputsHash(): string {
  const hash = createHash('sha256');
  for (const file of globSync(INPUTS, { cwd: root }).sort()) hash.update(file).update(readFileSync(join(root, file)));
  return hash.digest('hex').slice(0, 16);
}
