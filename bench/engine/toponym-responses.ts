/** Toponym with the full JSON response as the service sends it. */
import type { Engine } from 'toponym-engine/engine';
import { openEngine } from 'toponym-engine/open-engine';
import { readIndexFile } from 'toponym-files/index-file';
import { resultJson } from 'toponym-server/http/response/result-json';
import type { Peer } from '../peer.ts';
import type { TextQuery } from '../queries.ts';
import { peer as search } from './toponym.ts';

let engine: Engine;

export const peer: Peer<TextQuery> = {
  name: 'Toponym, full responses',
  version: search.version,
  // The same search, plus writing the JSON response with ten records, labels and highlights each
  // time.
  load(_places, indexFile) {
    engine = openEngine(readIndexFile(indexFile));
  },
  search({ text, near }, limit) {
    const result = engine.search(near === undefined ? { text, limit } : { text, limit, around: near });
    resultJson(result, { query: text, hitsPerPage: limit, params: '', point: near, processingTimeMS: 0 }, engine);
    return result.hits.map(({ objectID }) => objectID);
  },
};
