/**
 * FlexSearch with two of its tokenizers: `forward` finds prefixes; `tolerant`, its way to bear typos, finds whole words only
 * and is asked when the first found nothing.
 */
import { Charset, Index } from 'flexsearch';
import { fold } from '../../src/text/fold.ts';
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
  settings:
    'Name and ASCII name in a `forward` index and in a `tolerant` one (asked, with `suggest`, when the first finds nothing); encoder ' +
    'LatinBalance. First 1000 re-ranked; where the text has a comma, those of the region kept.',
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
    const kept = region === '' ? positions : positions.filter((position) => regions[position]!.includes(region));
    return candidates.best(kept, query, limit);
  },
};
