/** The file of `--svg`: checked before the search, written after it. */

import { resolve } from 'node:path';
import type { Hits } from '../../client/api-types.ts';
import { checkOutputFile, writeOutputFile } from '../../datasets/check-output.ts';
import { chooseIndex } from '../../datasets/index-choice.ts';
import { indexPaths } from '../../datasets/load-index.ts';
import { UsageError } from '../../errors/errors.ts';
import { replaceFile } from '../../files/replace-file.ts';
import { stateFolderAt } from '../../serve/state-folder.ts';
import { note } from '../print/output.ts';
import type { Settings } from '../settings/settings.ts';

const FLAG = '--svg';

export interface MapFile {
  /** Draws the hits, and replaces the file atomically. */
  write(response: object): Promise<void>;
}

/** Throws UsageError if the file cannot be written, or is one that the command reads. */
export function openMapFile(given: string, settings: Settings): MapFile {
  if (given === '' || given === '-') {
    throw new UsageError(`${FLAG}: must be the name of a file such as map.svg, got ${JSON.stringify(given)}.`);
  }
  const path = resolve(given);
  const overlay = settings.overlay === undefined ? [] : [resolve(settings.overlay)];
  const { indexFolder } = stateFolderAt(settings.state);
  checkOutputFile(path, [...indexPaths(chooseIndex(settings.index, indexFolder), indexFolder), ...overlay], FLAG);
  return {
    async write(response) {
      // imported only if needed
      const { hitMap } = await import('./hit-map.ts');
      const { loadWorldShapes } = await import('./base-map.ts');
      const world = loadWorldShapes();
      if (world === undefined)
        note('The map shows no land, because the page has not been built. In a clone, run "node web/build.js".');
      const svg = Buffer.from(hitMap(response as Hits, world));
      await writeOutputFile(path, () => replaceFile(path, [svg]), FLAG);
      note(`Wrote the map ${path}`);
    },
  };
}
