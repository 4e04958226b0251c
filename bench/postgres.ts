/**
 * Runs PostgreSQL in a temporary folder on a Unix socket and leaves the rest of the machine alone.
 * The server refuses to run as root; for root it runs as the user that the Debian package creates.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { Unavailable } from './peer.ts';

const DEBIAN_FOLDER = '/usr/lib/postgresql';

export interface Postgres {
  readonly client: InstanceType<typeof pg.Client>;
  readonly version: string;
  stop(): Promise<void>;
}

export async function startPostgres(): Promise<Postgres> {
  const programs = findPrograms();
  const user = serverUser();
  const folder = mkdtempSync(join(tmpdir(), 'toponym-postgres-'));
  if (user !== undefined) chownSync(folder, user.uid, user.gid);
  const data = join(folder, 'data');
  execFileSync(join(programs, 'initdb'), ['-D', data, '-U', 'bench', '-A', 'trust', '-E', 'UTF8', '--no-sync'], {
    ...user,
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const settings = ['listen_addresses=', `unix_socket_directories=${folder}`, 'shared_buffers=512MB', 'jit=off'];
  const server = spawn(
    join(programs, 'postgres'),
    ['-D', data, '-F', ...settings.flatMap((setting) => ['-c', setting])],
    { ...user, cwd: folder, stdio: 'ignore' },
  );
  const client = await connect(folder, server);
  const { rows } = await client.query('SHOW server_version');
  return {
    client,
    version: String(rows[0]?.server_version).split(' ')[0] ?? '',
    stop: async () => {
      await client.end();
      const exit = once(server, 'exit');
      server.kill('SIGINT');
      await exit;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function findPrograms(): string {
  const versions = existsSync(DEBIAN_FOLDER) ? readdirSync(DEBIAN_FOLDER).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = [...versions.map((version) => join(DEBIAN_FOLDER, version, 'bin')), ...pathFolders()];
  const found = folders.find((folder) => ['initdb', 'postgres'].every((name) => existsSync(join(folder, name))));
  if (found === undefined) throw new Unavailable('not installed (Debian: apt install postgresql postgresql-postgis)');
  return found;
}

function pathFolders(): string[] {
  return (process.env.PATH ?? '').split(':').filter((folder) => folder !== '');
}

/** Returns undefined if the server can run as the current user. */
function serverUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const line = readFileSync('/etc/passwd', 'utf8').match(/^postgres:[^:]*:(\d+):(\d+):/m);
  if (line === null) throw new Unavailable('it refuses to run as root, and there is no user "postgres" to run it as');
  return { uid: Number(line[1]), gid: Number(line[2]) };
}

async function connect(folder: string, server: ChildProcess): Promise<InstanceType<typeof pg.Client>> {
  for (const end = Date.now() + 20_000; Date.now() < end && server.exitCode === null; ) {
    const client = new pg.Client({ host: folder, user: 'bench', database: 'postgres' });
    try {
      await client.connect();
      return client;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
  server.kill('SIGKILL');
  throw new Unavailable('the server did not respond within 20 seconds');
}
