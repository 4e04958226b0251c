/** PostGIS: the `<->` operator on geography points over a GiST index. */
import type { LatLng } from 'toponym-engine/place/sphere';
import { type Peer, Unavailable } from '../peer.ts';
import type { BenchPlace } from '../places.ts';
import { type Postgres, startPostgres } from '../postgres.ts';

const BATCH = 5000;

let all: readonly BenchPlace[];
let postgres: Postgres | undefined;
let version = '';

export const peer: Peer<LatLng> = {
  name: 'PostGIS',
  get version() {
    return version;
  },
  // `ORDER BY location <-> point LIMIT k`, geography (which `<->` measures on the sphere), GiST;
  // local socket, prepared statement.
  async load(places) {
    all = places;
    postgres = await startPostgres();
    try {
      await postgres.client.query('CREATE EXTENSION postgis');
    } catch {
      throw new Unavailable('this PostgreSQL has no extension postgis (Debian: apt install postgresql-postgis)');
    }
    const { rows } = await postgres.client.query('SELECT postgis_lib_version() AS version');
    version = String(rows[0]?.version);
    await fill(postgres, places);
  },
  async search({ lat, lng }, limit) {
    const found = await postgres?.client.query({
      name: 'nearest',
      text: 'SELECT id FROM place ORDER BY location <-> ST_Point($1, $2)::geography LIMIT $3',
      values: [lng, lat, limit],
    });
    return found?.rows.map(({ id }) => all[Number(id)]!.id) ?? [];
  },
  close: () => postgres?.stop(),
};

async function fill({ client }: Postgres, places: readonly BenchPlace[]): Promise<void> {
  await client.query('CREATE TABLE place (id int, location geography(Point))');
  for (let start = 0; start < places.length; start += BATCH) {
    const batch = places.slice(start, start + BATCH);
    await client.query(
      `INSERT INTO place SELECT $1 + n - 1, ST_Point(lng, lat)::geography
       FROM unnest($2::float8[], $3::float8[]) WITH ORDINALITY AS t(lng, lat, n)`,
      [start, batch.map(({ lng }) => lng), batch.map(({ lat }) => lat)],
    );
  }
  await client.query('CREATE INDEX ON place USING gist (location)');
  await client.query('ANALYZE place');
}
