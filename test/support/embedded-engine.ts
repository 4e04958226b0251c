/**
 * The index of the embedded data, opened once per process. The slow test files that import this
 * module run in one process (scripts/test.ts), so they may not change it.
 */
import { openEngine } from '../../src/engine/open-engine.ts';
import { readIndexFile } from '../../src/index-file/file.ts';
import { loadWorldBorders } from '../../src/place/load-world-borders.ts';
import { builtIndex } from './built-index.ts';

export const embeddedBytes = readIndexFile(await builtIndex());
export const embeddedEngine = openEngine(embeddedBytes, { loadBorders: loadWorldBorders });
