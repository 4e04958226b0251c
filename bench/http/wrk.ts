/** Runs wrk: each persistent TLS connection sends its next request after a response. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

export const CONNECTIONS = 32;
const SCRIPT = fileURLToPath(new URL('./mix.lua', import.meta.url));

export interface Load {
  readonly program: string;
  readonly url: string;
  readonly requestsFile: string;
  readonly key: string;
  readonly seconds: number;
  readonly connections?: number;
  /** Number of clients, whose addresses are in X-Forwarded-For. */
  readonly addresses?: number;
}

export interface LoadResult {
  readonly requests: number;
  readonly durationUs: number;
  /** Of all responses, with their headers. */
  readonly bytes: number;
  /** Requests without a successful response. */
  readonly failed: number;
  readonly p50Us: number;
  readonly p90Us: number;
  readonly p99Us: number;
}

export async function runWrk(load: Load): Promise<LoadResult> {
  const { program, url, requestsFile, key, seconds, connections = CONNECTIONS, addresses } = load;
  const args = [
    '-t1',
    `-c${connections}`,
    `-d${seconds}s`,
    '--timeout',
    '5s',
    '-s',
    SCRIPT,
    url,
    '--',
    requestsFile,
    key,
    ...(addresses === undefined ? [] : [String(addresses)]),
  ];
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  const line = /^RESULT (.*)$/m.exec(output)?.[1];
  if (code !== 0 || line === undefined) throw new Error(`wrk ended with code ${code}:\n${output}`);
  return JSON.parse(line) as LoadResult;
}
