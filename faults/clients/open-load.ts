/**
 * Process of clients that call at a steady rate, however late the responses are. Each call has a
 * connection of its own while it waits. `open-load.ts PORT SEED CALLS_PER_SECOND:SECONDS…`, with a key
 * on standard input, prints a line of JSON (`Phase`) for each phase. A rate of 0 stands for the peak:
 * a few connections call without a pause.
 */
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { randomChoices } from '../requests/choices.ts';

export interface Phase {
  readonly seconds: number;
  /** Calls that were due but not sent, because all connections were in use. */
  readonly held: number;
  readonly sent: number;
  /** Calls answered with 200 within a second. */
  readonly useful: number;
  /** Calls answered with 200 later. */
  readonly late: number;
  /** Calls answered with 503. */
  readonly shed: number;
  readonly failed: number;
  /** Time from the start of the phase to the last call that was not answered with 200 within 200 ms. */
  readonly lastSlowMs: number;
}

const USEFUL_MS = 1000;
const SLOW_MS = 200;
const PEAK_CONNECTIONS = 64;
const MAX_CONNECTIONS = 4000;
const TICK_MS = 2;
const NAMES = ['paris', 'london', 'springfield', 'barcelona', 'amsterdam', 'copenhagen', 'guadalajara', 'montevideo'];

const [portText, seedText, ...phases] = process.argv.slice(2);
const key = readFileSync(0, 'utf8');
const choose = randomChoices(Number(seedText), 0);
const freeConnections: Connection[] = [];
let connectionCount = 0;

for (const phase of phases) {
  const [rate = 0, seconds = 0] = phase.split(':').map(Number);
  console.log(JSON.stringify(await runPhase(rate, seconds * 1000)));
}
process.exit(0);

type Counts = { -readonly [Field in keyof Phase]: Phase[Field] };

async function runPhase(callsPerSecond: number, ms: number): Promise<Phase> {
  const counts: Counts = { seconds: 0, held: 0, sent: 0, useful: 0, late: 0, shed: 0, failed: 0, lastSlowMs: 0 };
  const startedMs = performance.now();
  const passedMs = () => performance.now() - startedMs;
  if (callsPerSecond === 0) {
    const callOverAndOver = async () => {
      while (passedMs() < ms) await call(counts, startedMs);
    };
    await Promise.all(Array.from({ length: PEAK_CONNECTIONS }, callOverAndOver));
  }
  while (passedMs() < ms) {
    while (counts.sent + counts.held < (passedMs() / 1000) * callsPerSecond) void call(counts, startedMs);
    await delay(TICK_MS);
  }
  counts.seconds = passedMs() / 1000;
  return counts;
}

async function call(counts: Counts, startedMs: number): Promise<void> {
  const connection = freeConnections.pop() ?? openConnection();
  if (connection === undefined) {
    counts.held++;
    return;
  }
  counts.sent++;
  const sentMs = performance.now();
  const status = await connection.send(nextCall());
  const ms = performance.now() - sentMs;
  if (status === 200) counts[ms <= USEFUL_MS ? 'useful' : 'late']++;
  else counts[status === 503 ? 'shed' : 'failed']++;
  if (status !== 200 || ms > SLOW_MS) counts.lastSlowMs = Math.max(counts.lastSlowMs, sentMs - startedMs);
}

interface Connection {
  /** Resolves with the status; with 0 if the connection closes. */
  send(request: string): Promise<number>;
}

/** Reads no more of a response than its status and length, because the service needs the processor. */
function openConnection(): Connection | undefined {
  if (connectionCount === MAX_CONNECTIONS) return undefined;
  const localAddress = `127.0.0.${1 + (connectionCount++ % 100)}`; // each has its own range of ports
  const socket = connect({ port: Number(portText), host: '127.0.0.1', localAddress, noDelay: true });
  let settle: (status: number) => void = () => {};
  let status = 0;
  let missingBytes = 0;
  const connection: Connection = {
    send(request) {
      socket.write(request);
      return new Promise((resolve) => {
        settle = resolve;
      });
    },
  };
  socket.on('data', (chunk) => {
    if (missingBytes === 0) {
      const head = chunk.toString('latin1', 0, 1000);
      status = Number(head.slice('HTTP/1.1 '.length).slice(0, 3));
      missingBytes = head.indexOf('\r\n\r\n') + 4 + Number(/content-length: (\d+)/i.exec(head)?.[1]);
    }
    missingBytes -= chunk.length;
    if (missingBytes > 0) return;
    freeConnections.push(connection);
    settle(status);
  });
  socket.on('error', () => socket.destroy());
  socket.on('close', () => {
    connectionCount--;
    settle(0);
  });
  return connection;
}

/** Searches for a name with two wrong letters, so that no response is in the cache. */
function nextCall(): string {
  const letters = [...(NAMES[choose(NAMES.length)] ?? '')];
  for (let i = 0; i < 2; i++) letters[choose(letters.length)] = String.fromCharCode(97 + choose(26));
  return [
    `POST /api/1/query?query=${letters.join('')}&hitsPerPage=5 HTTP/1.1`,
    'Host: a',
    `X-Forwarded-For: 10.${choose(256)}.${choose(256)}.${choose(256)}`,
    `X-Service-Key: ${key}`,
    'Content-Length: 0',
    '',
    '',
  ].join('\r\n');
}
