/** Toponym through the engine's public `search`; returns ids, as every peer does. */
import { readFileSync } from 'node:fs';
import type { Engine } from '../../src/engine/engine.ts';
import { openEngine } from '../../src/engine/open-engine.ts';
import { readIndexFile } from '../../src/index-file/file.ts';
import type { Peer } from '../peer.ts';
import type { TextQuery } from '../queries.ts';

let engine: Engine;

export const peer: Peer<TextQuery> = {
  name: 'Toponym',
  version: (JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string })
    .version,
  // All names of every place (including 847,000 alternate names), regions and countries, in the
  // index file. `engine.search` with limit 10, ids only, like every engine. Results of queries of
  // up to three letters are cached at their first use, which is in the warm-up. Loading means
  // reading and verifying the file.
  load(_places, indexFile) {
    engine = openEngine(readIndexFile(indexFile));
  },
  search({ text, near }, limit) {
    const { hits } = engine.search(near === undefined ? { text, limit } : { text, limit, around: near });
    return hits.map(({ objectID }) => objectID);
  },
};
