/** Sends generated requests over several connections, and checks and counts the responses. */
import fc from 'fast-check';
import { maskKeys } from 'toponym-access/keys/key-text';
import { REQUEST_CHECK_INTERVAL_MS, REQUEST_TIMEOUT_MS } from 'toponym-server/http/timeouts';
import { residentBytes } from '../../bench/process-usage.ts';
import { formatCount, formatMegabytes } from '../../bench/report.ts';
import type { RunningService } from '../../test/support/running-service.ts';
import { atMost, type Check, exactly, figure, formatPercent, formatSeconds, ifAlone } from '../checks.ts';
import { RawConnection } from '../http/raw-connection.ts';
import type { RawResponse } from '../http/raw-response.ts';
import type { FaultRun } from '../scenario.ts';
import { createKey, runCommand } from '../service.ts';
import { type Choose, listedChoices, randomChoices } from './choices.ts';
import type { GeneratedRequest, RequestKeys } from './request-grammar.ts';
import type { ResponseCheck } from './response-check.ts';

export const REQUESTS = { full: 1_000_000, short: 1_000 };
/** Part of the requests that fast-check generates one after the other, and shrinks if one fails. */
export const SHRINKABLE = { full: 10_000, short: 50 };
export const CONNECTIONS = 8;
/** Requests in one packet, because a packet costs more time than most requests. */
const PIPELINED = 8;
/** The service lets no chunked request wait behind others. */
const CHUNKED = 'Transfer-Encoding: chunked';
const MAX_RESPONSE_MS = 1000;
/** A request without a response is given up after this time, and counts as a hang. */
const GIVE_UP_MS = 15_000;
/** Limit for a request that the client does not finish, with the time until the next check. */
const MAX_UNFINISHED_MS = REQUEST_TIMEOUT_MS + REQUEST_CHECK_INTERVAL_MS + MAX_RESPONSE_MS;
const MAX_PROBLEMS_SHOWN = 5;
const TICK_MS = 50;
const SAMPLES = 20;
/** Memory in the second half of the run, when the caches are full, relative to the first half. */
const MAX_GROWTH = 1.1;

interface TesterSettings {
  readonly generate: (choose: Choose) => GeneratedRequest;
  readonly check: ResponseCheck;
}

export async function createKeys(run: FaultRun, service: RunningService): Promise<RequestKeys> {
  const [unlimited, limited, revoked] = [
    await createKey(run, service),
    await createKey(run, service, ['--per-minute', '100']),
    await createKey(run, service),
  ];
  await runCommand(run, ['keys', 'revoke', revoked.id, '--state', service.state]);
  return { unlimited: unlimited.key, limited: limited.key, revoked: revoked.key };
}

/** Throws with the smallest failing request. */
export async function runShrinkable(tester: RequestTester, count: number, seed: number): Promise<void> {
  const choices = fc.array(fc.nat(2 ** 31 - 1), { maxLength: 80, size: 'max' });
  await fc.assert(
    fc.asyncProperty(choices, async (list) => {
      const problem = await tester.testChoices(listedChoices(list));
      if (problem !== undefined) throw new Error(problem);
    }),
    { numRuns: count, seed },
  );
}

export interface ManyRequests {
  readonly first: number;
  readonly total: number;
  readonly pid: number;
}

/** Sends requests over several connections. Returns the memory of the process, measured from time to time. */
export async function sendMany(run: FaultRun, tester: RequestTester, { first, total, pid }: ManyRequests) {
  const memory: number[] = [];
  const numbers = { next: first, total };
  const sendSome = async (slot: number) => {
    for (;;) {
      const batch = nextBatch(numbers, (number) => tester.generate(randomChoices(run.seed, number)));
      if (batch.length === 0) return;
      await tester.testBatch(batch, slot);
      if (numbers.next < (memory.length * total) / SAMPLES) continue;
      memory.push(residentBytes(pid));
      run.print(`${formatCount(numbers.next)} requests, ${formatMegabytes(memory.at(-1) ?? 0)}`);
    }
  };
  const startedMs = performance.now();
  await Promise.all(Array.from({ length: CONNECTIONS }, (_, slot) => sendSome(slot)));
  const seconds = (performance.now() - startedMs) / 1000;
  for (const problem of [...tester.problems, ...tester.slow].slice(0, MAX_PROBLEMS_SHOWN)) run.print(problem);
  for (const text of tester.errorTexts) run.keySearch.search('error responses', text);
  return { memory, seconds };
}

interface NumberedRequest {
  readonly number: number;
  readonly request: GeneratedRequest;
}

/** The requests to send next in one packet. An incomplete or chunked request is sent alone. */
function nextBatch(numbers: { next: number; readonly total: number }, generate: (number: number) => GeneratedRequest) {
  const batch: NumberedRequest[] = [];
  while (numbers.next < numbers.total && batch.length < PIPELINED) {
    const request = generate(numbers.next);
    const isAlone = !request.isComplete || request.bytes.includes(CHUNKED);
    if (isAlone && batch.length > 0) return batch;
    batch.push({ number: numbers.next++, request });
    if (isAlone) return batch;
  }
  return batch;
}

/** What every run of generated requests promises. */
export function testerChecks(run: FaultRun, tester: RequestTester, memory: readonly number[], wrong: string): Check[] {
  const { longestMs, longestUnfinishedMs, stalledMs } = tester;
  const waits = atMost(
    'longest wait for the response to a complete request',
    longestMs,
    MAX_RESPONSE_MS,
    formatSeconds,
  );
  const unfinished = 'longest time until an unfinished request is closed';
  return [
    figure('responses by status', statusText(tester.statuses)),
    exactly('responses with status 500', tester.statuses.get(500) ?? 0, 0),
    exactly('requests without a response', tester.unanswered, 0),
    figure('pauses of the testing program, left out of the waits', formatSeconds(stalledMs)),
    ifAlone(run.scale, waits),
    ifAlone(run.scale, atMost(unfinished, longestUnfinishedMs, MAX_UNFINISHED_MS, formatSeconds)),
    exactly(wrong, tester.problems.length, 0),
    ifAlone(run.scale, memoryCheck(memory)),
  ];
}

function memoryCheck(memory: readonly number[]) {
  const half = memory.length >> 1;
  const [first, second] = [Math.max(...memory.slice(0, half)), Math.max(...memory.slice(half))];
  return atMost('most memory in the second half, relative to the first', second / first, MAX_GROWTH, formatPercent);
}

function statusText(statuses: ReadonlyMap<number, number>): string {
  return [...statuses]
    .sort(([a], [b]) => a - b)
    .map(([status, count]) => `${status}: ${formatCount(count)}`)
    .join(', ');
}

function quote({ bytes }: GeneratedRequest): string {
  return JSON.stringify(maskKeys(bytes.toString('latin1')).slice(0, 2000));
}

/** Sends requests, and checks and counts the responses. */
export class RequestTester {
  readonly generate: TesterSettings['generate'];
  readonly problems: string[] = [];
  readonly statuses = new Map<number, number>();
  /** Bodies of error responses, each status and message once. */
  readonly errorTexts = new Set<string>();
  unanswered = 0;
  /** Time that this program did not run, which is left out of the waits. */
  stalledMs = 0;
  /** Of complete requests. */
  longestMs = 0;
  /** From sending an incomplete request until the service has closed the connection. */
  longestUnfinishedMs = 0;
  /** Requests that waited too long. */
  readonly slow: string[] = [];
  readonly #port: number;
  readonly #check: ResponseCheck;
  readonly #connections: RawConnection[] = [];
  readonly #startTimes = new Map<RawConnection, number>();
  readonly #watchdog: NodeJS.Timeout;
  readonly #ticks: NodeJS.Timeout;
  #lastTickMs = performance.now();

  constructor(port: number, { generate, check }: TesterSettings) {
    this.#port = port;
    this.generate = generate;
    this.#check = check;
    this.#watchdog = setInterval(() => this.#giveUp(), GIVE_UP_MS / 10);
    this.#ticks = setInterval(() => this.#runningMs(), TICK_MS);
  }

  /** Adds what another tester has measured. */
  addCounts({ statuses, errorTexts, longestMs, longestUnfinishedMs }: RequestTester): void {
    for (const [status, count] of statuses) this.statuses.set(status, count);
    for (const text of errorTexts) this.errorTexts.add(text);
    this.longestMs = longestMs;
    this.longestUnfinishedMs = longestUnfinishedMs;
  }

  /** Returns what is wrong with the response to a single request. */
  async testChoices(choose: Choose): Promise<string | undefined> {
    await this.testBatch([{ number: 0, request: this.generate(choose) }], 0);
    return this.problems.shift(); // so that the next, smaller request starts without a problem
  }

  /** Batches with the same `slot` share a connection. */
  async testBatch(batch: readonly NumberedRequest[], slot: number): Promise<void> {
    const [first] = batch;
    if (first !== undefined && !first.request.isComplete) await this.#testIncomplete(first, slot);
    else for (let rest = batch; rest.length > 0; ) rest = await this.#testComplete(rest, slot);
  }

  close(): void {
    clearInterval(this.#watchdog);
    clearInterval(this.#ticks);
    for (const connection of this.#connections) connection.destroy();
  }

  /** Returns the requests that must be sent again, because a response closed the connection. */
  async #testComplete(batch: readonly NumberedRequest[], slot: number): Promise<readonly NumberedRequest[]> {
    const reused = this.#connections[slot];
    const connection = reused?.isOpen === true ? reused : this.#open(slot);
    this.#connections[slot] = connection;
    const startedMs = this.#runningMs();
    this.#startTimes.set(connection, startedMs);
    const requests = batch.map(({ request: { bytes, method } }) => ({ bytes, isHead: method === 'HEAD' }));
    const responses = await connection.sendTogether(requests);
    this.#startTimes.delete(connection);
    this.#measure(batch, this.#runningMs() - startedMs);
    let isClosed = false;
    for (const [i, numbered] of batch.entries()) {
      const response = responses[i];
      if (response === undefined && isClosed) return batch.slice(i);
      if (response === undefined) {
        this.unanswered++;
        this.#report(numbered, `no response ${connection.error?.message ?? ''}`);
        return batch.slice(i + 1);
      }
      this.#checkOne(numbered, response);
      isClosed = response.headers.get('connection') === 'close';
    }
    return [];
  }

  /** A clock that stands still while this program does not run, as when a virtual machine is stopped for a moment. */
  #runningMs(): number {
    const now = performance.now();
    this.stalledMs += Math.max(0, now - this.#lastTickMs - 2 * TICK_MS);
    this.#lastTickMs = now;
    return now - this.stalledMs;
  }

  #measure(batch: readonly NumberedRequest[], ms: number): void {
    this.longestMs = Math.max(this.longestMs, ms);
    if (ms <= MAX_RESPONSE_MS) return;
    this.slow.push(
      `${formatSeconds(ms)} at ${new Date().toISOString()}: ${batch.map(({ request }) => quote(request)).join(' ')}`,
    );
  }

  /** Checks all responses until the service closes the connection. */
  async #testIncomplete(numbered: NumberedRequest, slot: number): Promise<void> {
    const connection = this.#open(slot);
    const startedMs = this.#runningMs();
    this.#startTimes.set(connection, startedMs);
    const responses = await connection.sendLast(numbered.request.bytes);
    this.#startTimes.delete(connection);
    this.longestUnfinishedMs = Math.max(this.longestUnfinishedMs, this.#runningMs() - startedMs);
    for (const response of responses) this.#checkOne(numbered, response);
  }

  #report({ number, request }: NumberedRequest, problem: string): void {
    this.problems.push(`request ${number}: ${problem}: ${quote(request)}`);
  }

  #checkOne(numbered: NumberedRequest, response: RawResponse): void {
    this.statuses.set(response.status, (this.statuses.get(response.status) ?? 0) + 1);
    if (response.status >= 400) this.#collectError(response);
    const problem = this.#check(numbered.request, response);
    if (problem !== undefined) this.#report(numbered, problem);
  }

  /** Request ids differ, so that equal messages are kept once. */
  #collectError({ body, headers }: RawResponse): void {
    const text = body.toString('latin1').replace(headers.get('x-request-id') ?? '', '');
    if (this.errorTexts.size < 200_000) this.errorTexts.add(text);
  }

  #open(slot: number): RawConnection {
    // a second range of ports for each slot, because closed connections occupy theirs for a minute
    return new RawConnection({ port: this.#port, localAddress: `127.0.0.${2 + slot}` });
  }

  #giveUp(): void {
    for (const [connection, startedMs] of this.#startTimes) {
      if (this.#runningMs() - startedMs > GIVE_UP_MS) connection.destroy();
    }
  }
}
