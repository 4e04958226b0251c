/**
 * Process of busy clients: `busy-clients.ts PORT CONNECTIONS SECONDS`, with a key on standard input.
 * Each connection sends its next call when the last one is answered. The calls come from many
 * addresses, which a trusted proxy reports. It prints the calls answered with 200 per second.
 */
import { readFileSync } from 'node:fs';
import { RawConnection } from '../http/raw-connection.ts';

const [port = 0, connections = 0, seconds = 0] = process.argv.slice(2).map(Number);
const key = readFileSync(0, 'utf8');
const QUERIES = ['par', 'london', 'new york', 'tokyo', 'berlin', 'san fra'];
/** Fewer than a table of the service has room for, so that each has a limit of its own. */
const ADDRESSES = 50_000;
let answered = 0;
let sent = 0;
const startedMs = performance.now();
const endMs = startedMs + seconds * 1000;
await Promise.all(Array.from({ length: connections }, callOverAndOver));
console.log(Math.round(answered / ((performance.now() - startedMs) / 1000)));

async function callOverAndOver(): Promise<void> {
  const connection = new RawConnection({ port });
  while (performance.now() < endMs) {
    const response = await connection.send(nextCall());
    if (response?.status === 200) answered++;
    // a service with too little time sends 503
    else if (response?.status !== 503) throw new Error(`a call failed: ${response?.status ?? connection.error}`);
  }
  connection.destroy();
}

function nextCall(): string {
  const address = sent++ % ADDRESSES;
  return [
    `POST /api/1/query?query=${encodeURIComponent(QUERIES[sent % QUERIES.length] ?? '')} HTTP/1.1`,
    'Host: a',
    `X-Forwarded-For: 10.${(address >> 16) & 255}.${(address >> 8) & 255}.${address & 255}`,
    `X-Service-Key: ${key}`,
    'Content-Length: 0',
    '',
    '',
  ].join('\r\n');
}
