/** Toponym, reading the confidence and the match code of every hit. */
import type { Engine } from '../../src/engine/engine.ts';
import { openEngine } from '../../src/engine/open-engine.ts';
import { readIndexFile } from '../../src/index-file/file.ts';
import type { Peer } from '../peer.ts';
import type { TextQuery } from '../queries.ts';
import { peer as search } from './toponym.ts';

let engine: Engine;
/** Keeps the compiler from dropping the reads. */
export let sum = 0;

export const peer: Peer<TextQuery> = {
  name: 'Toponym, confidence',
  version: search.version,
  // The same search, plus reading the confidence and the match code of each hit.
  load(_places, indexFile) {
    engine = openEngine(readIndexFile(indexFile));
  },
  search({ text, near }, limit) {
    const { hits } = engine.search(near === undefined ? { text, limit } : { text, limit, around: near });
    for (const { confidence = 0, matchCode = '' } of hits) sum += confidence + matchCode.length;
    return hits.map(({ objectID }) => objectID);
  },
};
