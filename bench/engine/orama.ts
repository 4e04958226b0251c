/** Orama: prefix search, then the much slower `tolerance` (Levenshtein) if that finds nothing. */
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
  // Name, ASCII name; ASCII name with region and country in a third property (searched if the text
  // has a comma). `threshold: 0` (all words required); if that finds nothing, `tolerance` 1, or 2
  // from 8 letters. First 1000 re-ranked.
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
    const exact = await searchPositions(query.text, 0);
    const found = exact.length > 0 ? exact : await searchPositions(query.text, name.length >= 8 ? 2 : 1);
    return candidates.best(found, query, limit);
  },
};

async function searchPositions(term: string, tolerance: number): Promise<number[]> {
  // Orama requires all words in one property
  const properties = term.includes(', ') ? ['full'] : NAMES;
  const { hits } = await search(db, { term, properties, tolerance, threshold: 0, limit: CANDIDATES });
  return hits.map(({ id }) => Number(id));
}
