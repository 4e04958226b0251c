/** Orama: its prefix search, and its `tolerance` (Levenshtein) when that finds nothing, which makes it far faster. */
import { create, insertMultiple, search } from '@orama/orama';
import { installedVersion, type Peer } from '../peer.ts';
import type { TextQuery } from '../queries.ts';
import { CANDIDATES, Candidates, splitText } from './candidates.ts';

const NAMES = ['name', 'asciiName'];
const db = create({ schema: { name: 'string', asciiName: 'string', full: 'string' } });
let candidates: Candidates;

export const peer: Peer<TextQuery> = {
  name: 'Orama',
  version: installedVersion('@orama/orama'),
  settings:
    'Name, ASCII name; ASCII name with region and country in a third property (searched where the text has a comma). `threshold: 0` (all words ' +
    'required); when that finds nothing, with `tolerance` 1, from 8 letters 2. First 1000 re-ranked.',
  async load(places) {
    candidates = new Candidates(places);
    const documents = places.map(({ name, asciiName, region, country }, position) => ({
      id: String(position),
      name,
      asciiName,
      full: `${asciiName} ${region} ${country}`,
    }));
    await insertMultiple(db, documents, 5000);
  },
  async search(query, limit) {
    const { name } = splitText(query.text);
    const exact = await positionsOf(query.text, 0);
    const found = exact.length > 0 ? exact : await positionsOf(query.text, name.length >= 8 ? 2 : 1);
    return candidates.best(found, query, limit);
  },
};

async function positionsOf(term: string, tolerance: number): Promise<number[]> {
  // all words must be in one property
  const properties = term.includes(', ') ? ['full'] : NAMES;
  const { hits } = await search(db, { term, properties, tolerance, threshold: 0, limit: CANDIDATES });
  return hits.map(({ id }) => Number(id));
}
