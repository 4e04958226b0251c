/** Toponym's search; returns ids, as every peer does. */
import { readFileSync } from 'node:fs';
import { openIndex } from 'toponym-engine/index-file/open-index';
import { readObjectId } from 'toponym-engine/index-file/packed-record';
import { IndexEngine } from 'toponym-engine/open-engine';
import { readIndexFile } from 'toponym-files/index-file';
import type { Peer } from '../peer.ts';
import type { TextQuery } from '../queries.ts';

let engine: IndexEngine;

export const peer: Peer<TextQuery> = {
  name: 'Toponym',
  version: (JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string })
    .version,
  // All names of every place (including 847,000 alternate names), regions and countries, in the
  // index file. A page of at most 10 places with scores and confidence, of which the ids are read,
  // like those of every engine. Results of queries of up to three letters are cached at their first
  // use, which is in the warm-up. Loading means reading and verifying the file.
  load(_places, indexFile) {
    engine = openIndexEngine(indexFile);
  },
  search(query, limit) {
    return searchIds(engine, query, limit);
  },
};

export function openIndexEngine(indexFile: string): IndexEngine {
  return new IndexEngine(openIndex(readIndexFile(indexFile)));
}

/** The ids of the places that a search finds, without their records. */
export function searchIds({ searches, index }: IndexEngine, { text, near }: TextQuery, limit: number): string[] {
  const { found } = searches.page(near === undefined ? { text, limit } : { text, limit, around: near });
  return found.slice(0, limit).map(({ place }) => readObjectId(index, place));
}
