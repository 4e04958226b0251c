/**
 * Sphinx: full names as keywords with all their prefixes indexed. If that finds nothing, it
 * searches words anywhere in a name and an index of trigrams, which is how its users correct
 * spelling. Keys are sorted by population and rows are found in key order, so a search without a
 * point stops at the tenth row.
 */
import { fold } from 'toponym-engine/text/fold';
import type { Peer } from '../peer.ts';
import type { BenchPlace } from '../places.ts';
import type { TextQuery } from '../queries.ts';
import { type Sphinx, type SphinxIndex, startSphinx } from '../sphinx.ts';
import { splitText } from './candidates.ts';
import { editDistance } from './edit-distance.ts';

const CHARACTERS = 'charset_table = 0..9, a..z, _, U+C0..U+FFFF';
const SPELLINGS = 100;
/** Two typos change seven trigrams of a name, rarely eight. */
const CHANGED_TRIGRAMS = 7;
const MAX_LENGTH_DIFFERENCE = 2;

let sphinx: Sphinx | undefined;
let all: readonly BenchPlace[];
let folded: readonly string[];

export const peer: Peer<TextQuery> = {
  name: 'Sphinx',
  get version() {
    return sphinx?.version ?? '';
  },
  // Name and ASCII name (full, and by words), region with country, location. `dict=crc`,
  // `min_prefix_len=1`; exact names, then prefixes of names, by population (`ranker=none`,
  // `cutoff`; by `GEODIST` if there is a point). If those find nothing: words anywhere, or else
  // the first SPELLINGS names by trigrams (quorum, difference of length), sorted by edit distance,
  // with the most populous place of each name. Local socket, SphinxQL, one message per step.
  async load(places) {
    all = places;
    folded = places.map(({ asciiName }) => fold(asciiName));
    sphinx = await startSphinx([placeIndex(places), spellingIndex()]);
  },
  async search(query, limit) {
    const { name, region } = splitText(query.text);
    if (sphinx === undefined || name === '') return [];
    const inRegion = region === '' ? '' : ` @region ${region}*`;
    const whole = [`@whole ${toKeyword(name)}${inRegion}`, `@whole ${toKeyword(name)}*${inRegion}`];
    const found = (await sphinx.query(whole.map((match) => placesText(match, query, limit)))).flat();
    const keys = found.length > 0 ? found.map(([key]) => key!) : await fallbackKeys(name, inRegion, { query, limit });
    return [...new Set(keys)].slice(0, limit).map((key) => all[key - 1]!.id);
  },
  close: () => sphinx?.stop(),
};

async function fallbackKeys(
  name: string,
  inRegion: string,
  { query, limit }: { query: TextQuery; limit: number },
): Promise<number[]> {
  const statements = [placesText(`@words ${name}*${inRegion}`, query, limit), spellingsText(name)];
  const [byWords = [], spellings = []] = (await sphinx?.query(statements)) ?? [];
  if (byWords.length > 0) return byWords.map(([key]) => key!);
  // the sort is stable, so names at the same distance stay in the order of Sphinx
  return spellings
    .map(([key]) => ({ key: key!, distance: editDistance(name, folded[key! - 1]!) }))
    .sort((a, b) => a.distance - b.distance)
    .map(({ key }) => key);
}

function placesText(match: string, { near }: TextQuery, limit: number): string {
  const where = `FROM place WHERE MATCH('${match}')`;
  if (near === undefined) return `SELECT id ${where} LIMIT ${limit} OPTION ranker=none, cutoff=${limit}`;
  const distance = `GEODIST(lat, lng, ${radians(near.lat)}, ${radians(near.lng)})`;
  return `SELECT id, ${distance} AS meters ${where} ORDER BY meters ASC LIMIT ${limit} OPTION ranker=none`;
}

function spellingsText(name: string): string {
  const trigrams = new Set(toTrigrams(name));
  const quorum = Math.max(2, trigrams.size - CHANGED_TRIGRAMS);
  return `SELECT id, WEIGHT() - ABS(letters - ${name.length}) AS likeness FROM spelling
    WHERE MATCH('"${[...trigrams].join(' ')}"/${quorum}')
    AND letters BETWEEN ${name.length - MAX_LENGTH_DIFFERENCE} AND ${name.length + MAX_LENGTH_DIFFERENCE}
    ORDER BY likeness DESC, id ASC LIMIT ${SPELLINGS} OPTION ranker=wordcount`;
}

function placeIndex(places: readonly BenchPlace[]): SphinxIndex {
  return {
    name: 'place',
    fields: ['whole', 'words', 'region'],
    attributes: [
      { name: 'lat', type: 'float' },
      { name: 'lng', type: 'float' },
    ],
    // deprecated, but only crc indexes prefixes: dict=keywords looks up all words with the prefix,
    // which is ten times as slow for one letter
    settings: ['dict = crc', 'min_prefix_len = 1', CHARACTERS],
    rows: places.map(({ name, region, country, lat, lng }, position) => {
      const names = [...new Set([fold(name), folded[position]!])];
      const whole = names.map(toKeyword).join(' ');
      return [position + 1, whole, names.join(' '), fold(`${region} ${country}`), radians(lat), radians(lng)];
    }),
  };
}

/** Indexes each name once, with the key of its most populous place. */
function spellingIndex(): SphinxIndex {
  const keys = new Map(folded.map((name, position) => [name, position + 1] as const).reverse());
  return {
    name: 'spelling',
    fields: ['trigrams'],
    attributes: [{ name: 'letters', type: 'uint' }],
    settings: ['dict = keywords', CHARACTERS],
    rows: Array.from(keys, ([name, key]) => [key, toTrigrams(name).join(' '), name.length] as const).sort(
      ([a], [b]) => a - b,
    ),
  };
}

function toKeyword(name: string): string {
  return name.replaceAll(' ', '_');
}

function toTrigrams(name: string): string[] {
  const padded = `_${toKeyword(name)}_`;
  return Array.from({ length: padded.length - 2 }, (_, i) => padded.slice(i, i + 3));
}

function radians(degrees: number): number {
  return (degrees * Math.PI) / 180;
}
