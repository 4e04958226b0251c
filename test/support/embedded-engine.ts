/**
 * The index of the embedded data, opened once per process. The slow test files that import this
 * module run in one process (scripts/test.ts), so they may not change it.
 */

import { openEngine } from 'toponym-engine/open-engine';
import { readIndexFile } from 'toponym-files/index-file';
import { loadWorldBorders } from 'toponym-files/load-world-borders';
import { builtIndex } from './built-index.ts';

export const embeddedBytes = readIndexFile(await builtIndex());
export const embeddedEngine = openEngine(embeddedBytes, { loadBorders: loadWorldBorders });
