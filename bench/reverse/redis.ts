/** Redis GEOSEARCH on a temporary server. Its radius grows until there are enough places. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@redis/client';
import type { LatLng } from 'toponym-engine/place/sphere';
import { type Peer, Unavailable } from '../peer.ts';
import type { BenchPlace } from '../places.ts';
import { findProgram } from '../program.ts';

const KEY = 'places';
const BATCH = 2000;
/** GEOADD accepts no latitudes beyond the square Mercator map. */
const MAX_LATITUDE = 85.05112878;
const RADII_KM = [20, 60, 180, 540, 1620, 4860, 20_100];

let server: ChildProcess | undefined;
let client: ReturnType<typeof createClient>;
let folder: string | undefined;
let version = '';

export const peer: Peer<LatLng> = {
  name: 'Redis GEOSEARCH',
  get version() {
    return version;
  },
  // `ASC COUNT k` within RADII_KM, widened until there are k; local socket, ids only.
  async load(places) {
    const program = findProgram('redis-server');
    if (program === undefined) throw new Unavailable('not installed (Debian: apt install redis-server)');
    version = /v=([\d.]+)/.exec(execFileSync(program, ['--version'], { encoding: 'utf8' }))?.[1] ?? '';
    folder = mkdtempSync(join(tmpdir(), 'toponym-redis-'));
    const socket = join(folder, 'redis.sock');
    server = spawn(program, ['--port', '0', '--unixsocket', socket, '--save', '', '--dir', folder], {
      stdio: 'ignore',
    });
    await waitUntilExists(socket);
    client = createClient({ socket: { path: socket, tls: false } });
    await client.connect();
    await fill(places);
  },
  async search({ lat, lng }, limit) {
    let ids: string[] = [];
    const from = ['GEOSEARCH', KEY, 'FROMLONLAT', String(lng), String(clampLatitude(lat))];
    for (const radius of RADII_KM) {
      const words = [...from, 'BYRADIUS', String(radius), 'km', 'ASC', 'COUNT', String(limit)];
      ids = (await client.sendCommand(words)) as string[];
      if (ids.length === limit) return ids;
    }
    return ids;
  },
  async close() {
    client?.destroy();
    if (server === undefined) return;
    const exit = once(server, 'exit');
    server.kill();
    await exit;
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  },
};

async function fill(places: readonly BenchPlace[]): Promise<void> {
  for (let start = 0; start < places.length; start += BATCH) {
    const members = places
      .slice(start, start + BATCH)
      .flatMap(({ id, lat, lng }) => [String(lng), String(clampLatitude(lat)), id]);
    await client.sendCommand(['GEOADD', KEY, ...members]);
  }
}

function clampLatitude(lat: number): number {
  return Math.max(-MAX_LATITUDE, Math.min(MAX_LATITUDE, lat));
}

async function waitUntilExists(path: string): Promise<void> {
  for (const end = Date.now() + 10_000; !existsSync(path); ) {
    if (Date.now() > end) throw new Unavailable('the server did not start within 10 seconds');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
