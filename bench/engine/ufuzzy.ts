/** uFuzzy: a regular expression over all names by population; allows one error per word. */
import UFuzzy from '@leeoniya/ufuzzy';
import { fold } from 'toponym-engine/text/fold';
import { installedVersion, type Peer } from '../peer.ts';
import type { TextQuery } from '../queries.ts';
import { CANDIDATES, Candidates, splitText } from './candidates.ts';

const fuzzy = new UFuzzy({ intraMode: 1, interLft: 2 });
let candidates: Candidates;
let names: readonly string[];
let namesWithRegion: readonly string[];

export const peer: Peer<TextQuery> = {
  name: 'uFuzzy',
  version: installedVersion('@leeoniya/ufuzzy'),
  // ASCII names, with region and country if the text has a comma. `intraMode: 1` (one error per
  // word, the maximum), `interLft: 2` (words match from their start). First 1000 re-ranked.
  load(places) {
    candidates = new Candidates(places);
    names = places.map(({ asciiName }) => fold(asciiName));
    namesWithRegion = places.map(({ region, country }, i) => `${names[i]} ${fold(region)} ${fold(country)}`);
  },
  search(query, limit) {
    const { name, region } = splitText(query.text);
    const haystack = region === '' ? names : namesWithRegion;
    const [positions, info, order] = fuzzy.search(haystack, `${name} ${region}`.trim(), 0, CANDIDATES);
    const found = info && order ? order.map((i) => info.idx[i]!) : (positions ?? []).slice(0, CANDIDATES);
    return candidates.best(found, query, limit);
  },
};
