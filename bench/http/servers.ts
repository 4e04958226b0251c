/** The servers under load, all with the same certificate and key. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findProgram } from '../program.ts';
import { firstLine, type ServiceState, startService, stopProcess } from '../service.ts';

export interface Server {
  readonly name: string;
  /** False for servers with a constant response. */
  readonly isOurs: boolean;
  readonly url: string;
  readonly pid: number;
  stop(): Promise<void>;
}

export interface ServerInput {
  readonly state: ServiceState;
  readonly indexFile: string;
  /** Response of the servers that do not search. */
  readonly responseFile: string;
  readonly folder: string;
}

const CONSTANT_SERVER = fileURLToPath(new URL('./constant-server.ts', import.meta.url));

export async function startToponym({ state, indexFile }: ServerInput, threads: number): Promise<Server> {
  const service = await startService(state.folder, indexFile, ['--threads', String(threads), '--ip-database', 'none']);
  return { name: `Toponym, ${threads} ${threads === 1 ? 'thread' : 'threads'}`, isOurs: true, ...service };
}

export async function startConstant(kind: 'node' | 'fastify', { state, responseFile }: ServerInput): Promise<Server> {
  const child = spawn(process.execPath, [CONSTANT_SERVER, kind, responseFile, state.certFile, state.keyFile], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const port = await firstLine(child);
  const name = kind === 'node' ? 'node:https, constant response' : 'Fastify, constant response';
  return createServerHandle(name, Number(port), child);
}

/** Returns undefined if nginx is not installed. */
export async function startNginx({ state, responseFile, folder }: ServerInput): Promise<Server | undefined> {
  const program = findProgram('nginx');
  if (program === undefined) return undefined;
  const port = await freePort();
  const own = mkdtempSync(join(folder, 'nginx-'));
  const configFile = join(own, 'nginx.conf');
  writeFileSync(configFile, nginxConfig({ port, folder: own, response: readFileSync(responseFile, 'utf8'), state }));
  execFileSync(program, ['-t', '-q', '-e', 'stderr', '-p', own, '-c', configFile], { stdio: 'inherit' });
  const child = spawn(program, ['-e', 'stderr', '-p', own, '-c', configFile], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  await waitUntilListening(port);
  return createServerHandle('nginx, constant response', port, child);
}

function createServerHandle(name: string, port: number, child: ChildProcess): Server {
  return { name, isOurs: false, url: `https://127.0.0.1:${port}`, pid: child.pid!, stop: () => stopProcess(child) };
}

function nginxConfig(options: { port: number; folder: string; response: string; state: ServiceState }): string {
  const { port, folder, response, state } = options;
  // nginx limits the length of a parameter, so the response is put together from variables
  const parts = response.replaceAll(/[\\'$]/g, ' ').match(/.{1,1000}/gsu) ?? [];
  const variables = parts.map((part, i) => `set $part${i} '${part}';`);
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((kind) => `${kind}_temp_path ${folder};`);
  return `
daemon off;
master_process off;
pid ${join(folder, 'nginx.pid')};
error_log stderr error;
events { worker_connections 256; }
http {
  access_log off;
  ${temporary.join(' ')}
  keepalive_requests 100000000;
  server {
    listen 127.0.0.1:${port} ssl;
    ssl_certificate ${state.certFile};
    ssl_certificate_key ${state.keyFile};
    default_type application/json;
    location / { ${variables.join(' ')} return 200 "${parts.map((_, i) => `$part${i}`).join('')}"; }
  }
}
`;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

async function waitUntilListening(port: number): Promise<void> {
  for (const end = Date.now() + 10_000; Date.now() < end; ) {
    const socket = connect(port, '127.0.0.1');
    const [event] = await Promise.race([
      once(socket, 'connect').then(() => ['connect']),
      once(socket, 'error').then(() => ['error']),
    ]).catch(() => ['error']);
    socket.destroy();
    if (event === 'connect') return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('nginx did not listen within 10 seconds');
}
