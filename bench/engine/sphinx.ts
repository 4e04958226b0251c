/**
 * Sphinx: whole names as keywords with every prefix of theirs indexed, and, when that finds nothing, words anywhere in a
 * name and an index of trigrams, as its users correct spelling. Keys are in order of population, and rows are found in
 * order of their keys, so a search without a point ends with the tenth row it finds.
 */
import { fold } from '../../src/text/fold.ts';
import type { Peer } from '../peer.ts';
import type { BenchPlace } from '../places.ts';
import type { TextQuery } from '../queries.ts';
import { type Sphinx, type SphinxIndex, startSphinx } from '../sphinx.ts';
import { splitText } from './candidates.ts';
import { editDistance } from './edit-distance.ts';

const CHARACTERS = 'charset_table = 0..9, a..z, _, U+C0..U+FFFF';
const SPELLINGS = 100;
/** Two typos spoil seven trigrams of a name, seldom eight. */
const SPOILT_TRIGRAMS = 7;
const LETTERS_APART = 2;

let sphinx: Sphinx | undefined;
let all: readonly BenchPlace[];
let folded: readonly string[];

export const peer: Peer<TextQuery> = {
  name: 'Sphinx',
  get version() {
    return sphinx?.version ?? '';
  },
  settings:
    'Name and ASCII name (whole, and by words), region with country, location. `dict=crc`, `min_prefix_len=1`; exact names, then ' +
    'prefixes of names, by population (`ranker=none`, `cutoff`; by `GEODIST` where there is a point). When those find nothing: ' +
    `words anywhere; else the first ${SPELLINGS} names by trigrams (quorum, difference of length) by edit distance, of each name ` +
    'the most populous place. Local socket, SphinxQL, one message a step.',
  async load(places) {
    all = places;
    folded = places.map(({ asciiName }) => fold(asciiName));
    sphinx = await startSphinx([placeIndex(places), spellingIndex()]);
  },
  async search(query, limit) {
    const { name, region } = splitText(query.text);
    if (sphinx === undefined || name === '') return [];
    const inRegion = region === '' ? '' : ` @region ${region}*`;
    const whole = [`@whole ${asKeyword(name)}${inRegion}`, `@whole ${asKeyword(name)}*${inRegion}`];
    const found = (await sphinx.query(whole.map((match) => placesText(match, query, limit)))).flat();
    const keys = found.length > 0 ? found.map(([key]) => key!) : await otherKeys(name, inRegion, { query, limit });
    return [...new Set(keys)].slice(0, limit).map((key) => all[key - 1]!.id);
  },
  close: () => sphinx?.stop(),
};

async function otherKeys(
  name: string,
  inRegion: string,
  { query, limit }: { query: TextQuery; limit: number },
): Promise<number[]> {
  const statements = [placesText(`@words ${name}*${inRegion}`, query, limit), spellingsText(name)];
  const [byWords = [], spellings = []] = (await sphinx?.query(statements)) ?? [];
  if (byWords.length > 0) return byWords.map(([key]) => key!);
  // a stable sort: of names as far from the text, Sphinx's own order
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
  const trigrams = new Set(trigramsOf(name));
  const quorum = Math.max(2, trigrams.size - SPOILT_TRIGRAMS);
  return `SELECT id, WEIGHT() - ABS(letters - ${name.length}) AS likeness FROM spelling
    WHERE MATCH('"${[...trigrams].join(' ')}"/${quorum}')
    AND letters BETWEEN ${name.length - LETTERS_APART} AND ${name.length + LETTERS_APART}
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
    // deprecated, but it alone indexes prefixes: dict=keywords looks up all words that start so, ten times as slow for one letter
    settings: ['dict = crc', 'min_prefix_len = 1', CHARACTERS],
    rows: places.map(({ name, region, country, lat, lng }, position) => {
      const names = [...new Set([fold(name), folded[position]!])];
      const whole = names.map(asKeyword).join(' ');
      return [position + 1, whole, names.join(' '), fold(`${region} ${country}`), radians(lat), radians(lng)];
    }),
  };
}

/** Each name once, with the key of the most populous place of that name. */
function spellingIndex(): SphinxIndex {
  const keys = new Map(folded.map((name, position) => [name, position + 1] as const).reverse());
  return {
    name: 'spelling',
    fields: ['trigrams'],
    attributes: [{ name: 'letters', type: 'uint' }],
    settings: ['dict = keywords', CHARACTERS],
    rows: Array.from(keys, ([name, key]) => [key, trigramsOf(name).join(' '), name.length] as const).sort(
      ([a], [b]) => a - b,
    ),
  };
}

function asKeyword(name: string): string {
  return name.replaceAll(' ', '_');
}

function trigramsOf(name: string): string[] {
  const padded = `_${asKeyword(name)}_`;
  return Array.from({ length: padded.length - 2 }, (_, i) => padded.slice(i, i + 3));
}

function radians(degrees: number): number {
  return (degrees * Math.PI) / 180;
}
