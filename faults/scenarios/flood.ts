/** A flood of calls from a million addresses, which a trusted proxy reports. */
import { setTimeout as delay } from 'node:timers/promises';
import { residentBytes } from '../../bench/process-usage.ts';
import { formatCount, formatMegabytes } from '../../bench/report.ts';
import { atMost, exactly, figure, type Scale } from '../checks.ts';
import { AcceptedCalls } from '../http/accepted-calls.ts';
import { RawConnection } from '../http/raw-connection.ts';
import type { FaultRun, Scenario } from '../scenario.ts';
import { startService } from '../service.ts';

const ADDRESSES = { full: 1_000_000, short: 3_000 };
const CONNECTIONS = 16;
/** The service lets a connection have 64 open requests. */
const PIPELINED = 50;
/** Addresses that have used up their limit, and addresses that call as often as they may. */
const WATCHED = { full: 100, short: 10 };
const BLOCKED_CALLS_PER_ROUND = 5;
const ROUND_MS = 1200; // so that a regular address makes 50 calls a minute
/** What docs/operations.md says about the rate counters. */
const MAX_COUNTER_BYTES = 192 * 1024 * 1024;

export const flood: Scenario = {
  name: 'flood',
  promise:
    'A flood from a million addresses takes bounded memory, frees no blocked address, and refuses no address that was there before.',
  run: runFlood,
};

async function runFlood(run: FaultRun) {
  const addresses = ADDRESSES[run.scale];
  const args = ['--behind-proxy', '--trusted-proxies', '127.0.0.1', '--log-level', 'warn'];
  const service = await startService(run, { args });
  const port = Number(new URL(service.ready.url).port);
  const watch = new Watch(port, service.key, run.scale);
  await watch.begin();
  const memory = { before: residentBytes(service.ready.pid), peak: 0 };
  const progress = { sent: 0, failed: 0 };
  let printed = 0;
  const watching = watch.untilStopped(() => {
    memory.peak = Math.max(memory.peak, residentBytes(service.ready.pid));
    if (progress.sent < printed + addresses / 10) return;
    printed = progress.sent;
    run.print(`${formatCount(progress.sent)} addresses, ${formatMegabytes(memory.peak)}`);
  });
  const startedMs = performance.now();
  await Promise.all(
    Array.from({ length: CONNECTIONS }, () => floodFrom(new RawConnection({ port }), { addresses, progress })),
  );
  const seconds = (performance.now() - startedMs) / 1000;
  watch.stop();
  await watching;
  return [
    figure('addresses', `${formatCount(progress.sent)} in ${Math.round(seconds)} s`),
    exactly('calls without a response', progress.failed, 0),
    figure('resident memory before the flood', formatMegabytes(memory.before)),
    atMost('more memory at its peak', memory.peak - memory.before, MAX_COUNTER_BYTES, formatMegabytes),
    exactly(`of ${WATCHED[run.scale]} blocked addresses, freed`, watch.freed(), 0),
    exactly(
      `of ${formatCount(watch.regularCalls)} calls of ${WATCHED[run.scale]} regular addresses, refused`,
      watch.refused,
      0,
    ),
  ];
}

interface Flood {
  readonly addresses: number;
  readonly progress: { sent: number; failed: number };
}

/** Calls without a key count like any other. */
async function floodFrom(connection: RawConnection, { addresses, progress }: Flood): Promise<void> {
  while (progress.sent < addresses) {
    const count = Math.min(PIPELINED, addresses - progress.sent);
    const first = progress.sent;
    progress.sent += count;
    const responses = await connection.sendAll(
      Array.from({ length: count }, (_, i) => callFrom(addressOf(first + i), '')),
    );
    progress.failed += responses.filter((response) => response === undefined).length;
  }
  connection.destroy();
}

/** Calls of addresses that were there before the flood. */
class Watch {
  regularCalls = 0;
  /** Refused calls of regular addresses. */
  refused = 0;
  readonly #connection: RawConnection;
  readonly #key: string;
  /** Of the blocked addresses. */
  readonly #accepted: readonly AcceptedCalls[];
  readonly #scale: Scale;
  #isStopped = false;

  constructor(port: number, key: string, scale: Scale) {
    this.#connection = new RawConnection({ port });
    this.#key = key;
    this.#scale = scale;
    this.#accepted = Array.from({ length: WATCHED[scale] }, () => new AcceptedCalls());
  }

  /** Uses up the limit of the addresses to block. */
  async begin(): Promise<void> {
    for (let i = 0; i < this.#accepted.length; i++) await this.#callBlocked(i, PIPELINED);
    await this.#round();
    for (let i = 0; i < this.#accepted.length; i++) {
      const statuses = await this.#callBlocked(i, PIPELINED);
      if (statuses.at(-1) !== 429) throw new Error(`an address is not blocked after ${2 * PIPELINED} calls`);
    }
  }

  async untilStopped(onRound: () => void): Promise<void> {
    while (!this.#isStopped) {
      const nextRound = delay(ROUND_MS);
      await this.#round();
      onRound();
      await nextRound;
    }
    this.#connection.destroy();
  }

  stop(): void {
    this.#isStopped = true;
  }

  freed(): number {
    return this.#accepted.filter((calls) => calls.isOverLimit()).length;
  }

  async #round(): Promise<void> {
    for (let i = 0; i < this.#accepted.length; i++) await this.#callBlocked(i, BLOCKED_CALLS_PER_ROUND);
    for (let i = 0; i < this.#accepted.length; i += PIPELINED) {
      const count = Math.min(PIPELINED, this.#accepted.length - i);
      const calls = Array.from({ length: count }, (_, n) => callFrom(`198.51.100.${i + n}`, this.#key));
      const responses = await this.#connection.sendAll(calls);
      this.regularCalls += responses.length;
      // beside other tests the service may have too little time
      const allowed = this.#scale === 'full' ? [200] : [200, 503];
      this.refused += responses.filter((response) => !allowed.includes(response?.status ?? 0)).length;
    }
  }

  /** Returns the statuses. */
  async #callBlocked(i: number, count: number): Promise<number[]> {
    const sentMs = performance.now();
    const calls = Array.from({ length: count }, () => callFrom(`192.0.2.${i}`, this.#key));
    const responses = await this.#connection.sendAll(calls);
    return responses.map((response) => {
      if (response === undefined) throw new Error(`no response to a blocked address: ${this.#connection.error}`);
      if (response.status === 200) this.#accepted[i]?.add(sentMs, performance.now());
      return response.status;
    });
  }
}

/** Half of the addresses are IPv4, half are IPv6 networks of 64 bits, which count as one address. */
function addressOf(i: number): string {
  const n = i >> 1;
  if (i % 2 === 0) return `10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`;
  return `2001:db8:${(n >> 16).toString(16)}:${(n & 0xffff).toString(16)}::1`;
}

function callFrom(address: string, key: string): string {
  const head = ['POST /api/1/query?query=par&hitsPerPage=1 HTTP/1.1', 'Host: a', `X-Forwarded-For: ${address}`];
  return [...head, `X-Service-Key: ${key}`, 'Content-Length: 0', '', ''].join('\r\n');
}
