/** Looks up the listed aliases of divisions. Aliases that follow a rule are in regions.ts. */
import { fold } from '../../text/fold.ts';
import { plainNames } from './plain-names.ts';
import { AFRICA, AFRICA_SHARED } from './region-aliases/africa.ts';
import type { AliasTable, SharedAliasTable, SynonymTable } from './region-aliases/alias-table.ts';
import { BRITISH_ISLES, BRITISH_ISLES_SHARED } from './region-aliases/british-isles.ts';
import { EAST_ASIA, EAST_ASIA_SHARED } from './region-aliases/east-asia.ts';
import { EASTERN_EUROPE, EASTERN_EUROPE_SHARED } from './region-aliases/eastern-europe.ts';
import { LATIN_AMERICA, LATIN_AMERICA_SHARED } from './region-aliases/latin-america.ts';
import { NORTH_AMERICA, NORTH_AMERICA_SHARED } from './region-aliases/north-america.ts';
import { NORTHERN_EUROPE, NORTHERN_EUROPE_SHARED } from './region-aliases/northern-europe.ts';
import { OCEANIA } from './region-aliases/oceania.ts';
import { RUSSIA_AND_NEIGHBOURS, RUSSIA_AND_NEIGHBOURS_SHARED } from './region-aliases/russia-and-neighbours.ts';
import { SOUTH_ASIA } from './region-aliases/south-asia.ts';
import { SOUTHEAST_ASIA, SOUTHEAST_ASIA_SHARED, SOUTHEAST_ASIA_SYNONYMS } from './region-aliases/southeast-asia.ts';
import { SOUTHERN_EUROPE, SOUTHERN_EUROPE_SHARED } from './region-aliases/southern-europe.ts';
import { WESTERN_ASIA, WESTERN_ASIA_SHARED } from './region-aliases/western-asia.ts';
import { WESTERN_EUROPE, WESTERN_EUROPE_SHARED } from './region-aliases/western-europe.ts';

const TABLES: readonly AliasTable[] = [
  AFRICA,
  BRITISH_ISLES,
  EAST_ASIA,
  EASTERN_EUROPE,
  LATIN_AMERICA,
  NORTH_AMERICA,
  NORTHERN_EUROPE,
  OCEANIA,
  RUSSIA_AND_NEIGHBOURS,
  SOUTH_ASIA,
  SOUTHEAST_ASIA,
  SOUTHERN_EUROPE,
  WESTERN_ASIA,
  WESTERN_EUROPE,
];

const SHARED_TABLES: readonly SharedAliasTable[] = [
  AFRICA_SHARED,
  BRITISH_ISLES_SHARED,
  EAST_ASIA_SHARED,
  EASTERN_EUROPE_SHARED,
  LATIN_AMERICA_SHARED,
  NORTH_AMERICA_SHARED,
  NORTHERN_EUROPE_SHARED,
  RUSSIA_AND_NEIGHBOURS_SHARED,
  SOUTHEAST_ASIA_SHARED,
  SOUTHERN_EUROPE_SHARED,
  WESTERN_ASIA_SHARED,
  WESTERN_EUROPE_SHARED,
];

/** By the key of the division: `CA.10` → QC, PQ, … */
export const OWN_ALIASES: ReadonlyMap<string, readonly string[]> = collect(
  TABLES.flatMap(rowsOf).map(({ outer, inner, value }) => [`${outer}.${inner}`, value.split('|')]),
);

/** Names of areas, by the key of each division: `GB.ENG.J7` → Yorkshire, … */
export const SHARED_ALIASES: ReadonlyMap<string, readonly string[]> = collect(
  SHARED_TABLES.flatMap(rowsOf).flatMap(({ outer, inner, value }) =>
    value.split(' ').map((code): [string, string[]] => [`${outer}.${code}`, inner.split('|')]),
  ),
);

/** By country and folded name: `VN.saigon`. */
const SYNONYMS: ReadonlyMap<string, readonly string[]> = indexByName(SOUTHEAST_ASIA_SYNONYMS);

export function listedAliases(key: string, name: string): string[] {
  return [...(OWN_ALIASES.get(key) ?? []), ...(SHARED_ALIASES.get(key) ?? []), ...findSynonyms(key, name)];
}

function findSynonyms(key: string, name: string): string[] {
  const [country, ...codes] = key.split('.');
  if (codes.length !== 1) return [];
  const foldedNames = [name, ...plainNames(name)].map(fold);
  return foldedNames
    .flatMap((folded) => SYNONYMS.get(`${country}.${folded}`) ?? [])
    .filter((synonym) => !foldedNames.includes(fold(synonym)));
}

function indexByName(table: SynonymTable): Map<string, string[]> {
  const rows = Object.entries(table).flatMap(([country, ofCountry]) =>
    ofCountry.map((row) => ({ country, names: row.split('|') })),
  );
  return new Map(rows.flatMap(({ country, names }) => names.map((name) => [`${country}.${fold(name)}`, names])));
}

function rowsOf(table: AliasTable | SharedAliasTable): { outer: string; inner: string; value: string }[] {
  return Object.entries(table).flatMap(([outer, byInner]) =>
    Object.entries(byInner).map(([inner, value]) => ({ outer, inner, value })),
  );
}

function collect(rows: Iterable<readonly [string, readonly string[]]>): Map<string, string[]> {
  const lists = new Map<string, string[]>();
  for (const [key, aliases] of rows) lists.set(key, [...(lists.get(key) ?? []), ...aliases]);
  return lists;
}
