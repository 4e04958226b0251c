/**
 * FlexSearch with two tokenizers: `forward` finds prefixes; `tolerant` tolerates typos but finds
 * only whole words, and is used if the first finds nothing.
 */
import { Charset, Index } from 'flexsearch';
import { fold } from 'toponym-engine/text/fold';
import { installedVersion, type Peer } from '../peer.ts';
import type { TextQuery } from '../queries.ts';
import { CANDIDATES, Candidates, splitText } from './candidates.ts';

const prefixes = new Index({ tokenize: 'forward', encoder: Charset.LatinBalance });
const tolerant = new Index({ tokenize: 'tolerant', encoder: Charset.LatinBalance });
let candidates: Candidates;
let regions: readonly string[];

export const peer: Peer<TextQuery> = {
  name: 'FlexSearch',
  version: installedVersion('flexsearch'),
  // Name and ASCII name in a `forward` index and in a `tolerant` index (used, with `suggest`, if
  // the first finds nothing); encoder LatinBalance. First 1000 re-ranked; if the text has a comma,
  // filtered by region.
  load(places) {
    candidates = new Candidates(places);
    regions = places.map(({ region, country }) => fold(`${region} ${country}`));
    places.forEach(({ name, asciiName }, position) => {
      const names = name === asciiName ? name : `${name} ${asciiName}`;
      prefixes.add(position, names);
      tolerant.add(position, names);
    });
  },
  search(query, limit) {
    const { name, region } = splitText(query.text);
    const found = prefixes.search(name, { limit: CANDIDATES });
    const positions = found.length > 0 ? found : tolerant.search(name, { limit: CANDIDATES, suggest: true });
    const filtered = region === '' ? positions : positions.filter((position) => regions[position]!.includes(region));
    return candidates.best(filtered, query, limit);
  },
};
