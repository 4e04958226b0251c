/**
 * PostgreSQL: a B-tree for exact names and prefixes, pg_trgm if those find nothing. The key is the
 * position in the list of places, so `ORDER BY id` sorts by population. A search takes one or two
 * round trips over a Unix socket.
 */
import { fold } from 'toponym-engine/text/fold';
import { type Peer, Unavailable } from '../peer.ts';
import type { BenchPlace } from '../places.ts';
import { type Postgres, startPostgres } from '../postgres.ts';
import type { TextQuery } from '../queries.ts';
import { splitText } from './candidates.ts';

const BATCH = 5000;
const STATEMENTS = [
  'CREATE INDEX ON place (folded text_pattern_ops)',
  // five times as fast here as the ordered scan of GiST
  'CREATE INDEX ON place USING gin (folded gin_trgm_ops)',
  'ANALYZE place',
  // a generic plan cannot use the B-tree for LIKE
  'SET plan_cache_mode = force_custom_plan',
];

let postgres: Postgres | undefined;
let all: readonly BenchPlace[];

export const peer: Peer<TextQuery> = {
  name: 'PostgreSQL pg_trgm',
  get version() {
    return postgres?.version ?? '';
  },
  // ASCII name, region with country, location. Exact names and prefixes from a B-tree, by
  // population (by distance if there is a point); if those find nothing, the 10 most similar by
  // trigrams (`%`, GIN). Local socket, prepared statements.
  async load(places) {
    all = places;
    postgres = await startPostgres();
    try {
      await postgres.client.query('CREATE EXTENSION pg_trgm');
    } catch (error) {
      throw new Unavailable(`pg_trgm is not installed (Debian: postgresql-contrib): ${(error as Error).message}`);
    }
    await fill(postgres, places);
    for (const statement of STATEMENTS) await postgres.client.query(statement);
  },
  async search(query, limit) {
    const { name, region } = splitText(query.text);
    const exact = await queryIds('exact', query, [name, `${name}%`, `%${region}%`, limit]);
    const rows = exact.length > 0 ? exact : await queryIds('trigram', query, [name, `%${region}%`, limit]);
    return [...new Set(rows)].slice(0, limit).map((id) => all[id]!.id);
  },
  close: () => postgres?.stop(),
};

async function queryIds(kind: 'exact' | 'trigram', { near }: TextQuery, values: unknown[]): Promise<number[]> {
  const isNear = near !== undefined;
  const { rows } = (await postgres?.client.query({
    name: `${kind} ${isNear}`,
    text: kind === 'exact' ? exactText(isNear) : trigramText(),
    values: isNear && kind === 'exact' ? [...values, near.lng, near.lat] : values,
  })) ?? { rows: [] };
  return rows.map(({ id }) => Number(id));
}

function exactText(isNear: boolean): string {
  const order = isNear ? 'location <-> point($5, $6)' : 'id';
  const select = (match: string) =>
    `(SELECT id FROM place WHERE ${match} AND region LIKE $3 ORDER BY ${order} LIMIT $4)`;
  return `${select('folded = $1')} UNION ALL ${select('folded LIKE $2')}`;
}

function trigramText(): string {
  return 'SELECT id FROM place WHERE folded % $1 AND region LIKE $2 ORDER BY folded <-> $1 LIMIT $3';
}

async function fill({ client }: Postgres, places: readonly BenchPlace[]): Promise<void> {
  await client.query('CREATE TABLE place (id int PRIMARY KEY, folded text, region text, location point)');
  for (let start = 0; start < places.length; start += BATCH) {
    const batch = places.slice(start, start + BATCH);
    await client.query(
      `INSERT INTO place SELECT $1 + n - 1, folded, region, point(lng, lat)
       FROM unnest($2::text[], $3::text[], $4::float8[], $5::float8[]) WITH ORDINALITY AS t(folded, region, lng, lat, n)`,
      [
        start,
        batch.map(({ asciiName }) => fold(asciiName)),
        batch.map(({ region, country }) => fold(`${region} ${country}`)),
        batch.map(({ lng }) => lng),
        batch.map(({ lat }) => lat),
      ],
    );
  }
}
