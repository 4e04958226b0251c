/** Ours with the whole answer written, as the service sends it: records, labels, highlights, as JSON. */
import type { Engine } from '../../src/engine/engine.ts';
import { openEngine } from '../../src/engine/open-engine.ts';
import { resultJson } from '../../src/http/response/result-json.ts';
import { readIndexFile } from '../../src/index-file/file.ts';
import type { Peer } from '../peer.ts';
import type { TextQuery } from '../queries.ts';
import { peer as search } from './toponym.ts';

let engine: Engine;

export const peer: Peer<TextQuery> = {
  name: 'Toponym, whole answers',
  version: search.version,
  settings:
    'The same search, and besides the JSON of the answer with ten records, labels and highlights, written anew each time.',
  load(_places, indexFile) {
    engine = openEngine(readIndexFile(indexFile));
  },
  search({ text, near }, limit) {
    const result = engine.search(near === undefined ? { text, limit } : { text, limit, around: near });
    resultJson(result, { query: text, hitsPerPage: limit, params: '', point: near, processingTimeMS: 0 }, engine);
    return result.hits.map(({ objectID }) => objectID);
  },
};
