/** Latency of an ordinary client, and memory of the service, during attacks by hostile clients. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { Agent } from 'node:https';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { BenchData } from '../bench-data.ts';
import type { BenchPlace } from '../places.ts';
import { residentBytes } from '../process-usage.ts';
import { formatCount, formatMegabytes, formatUs, type SectionReport, skippedSection } from '../report.ts';
import type { RunOptions } from '../run-options.ts';
import { createState, post, type Service, type ServiceState, startService } from '../service.ts';
import { summarize } from '../statistics.ts';
import { ATTACKS, type AttackName } from './attacks.ts';

const TITLE = 'Under attack';
const ATTACKER = fileURLToPath(new URL('./attacker.ts', import.meta.url));
const ATTACK_SECONDS = 15;
/** Time for the attackers to connect; their handshakes slow everyone. */
const SETTLE_MS = 3000;
const BETWEEN_CALLS_MS = 5;

export async function measureAttack(data: BenchData, _options: RunOptions): Promise<SectionReport> {
  if (process.platform !== 'linux') return skippedSection(TITLE, 'memory is read from /proc, which only Linux has');
  const textsFile = join(data.folder, 'slow-texts.json');
  writeFileSync(textsFile, JSON.stringify(slowTexts(data.places)));
  const state = await createState(data.folder, data.indexFile);
  const service = await startService(state.folder, data.indexFile);
  const rows: string[][] = [];
  try {
    rows.push(['none', ...(await measureBystander(service, state))]);
    for (const name of Object.keys(ATTACKS) as AttackName[]) {
      console.log(`  ${ATTACKS[name].title}`);
      const args = [ATTACKER, name, service.url, state.key, textsFile, String(ATTACK_SECONDS)];
      const attacker = spawn(process.execPath, args, { stdio: ['ignore', 'inherit', 'inherit'] });
      const ended = once(attacker, 'exit');
      await delay(SETTLE_MS);
      rows.push([ATTACKS[name].title, ...(await measureBystander(service, state))]);
      await ended;
    }
  } finally {
    await service.stop();
  }
  return createReport(rows);
}

/** Measures the bystander: an ordinary client with one persistent connection. */
async function measureBystander(service: Service, state: ServiceState): Promise<string[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const us: number[] = [];
  let failed = 0;
  let bytes = 0;
  const untilMs = performance.now() + (ATTACK_SECONDS * 1000 - SETTLE_MS) / 2;
  for (let i = 0; performance.now() < untilMs; i++) {
    const startedMs = performance.now();
    const call = { path: '/api/1/query', body: `query=${CALLS[i % CALLS.length]}` };
    await post(service.url, call, { state, agent }).catch(() => failed++);
    us.push((performance.now() - startedMs) * 1000);
    bytes = Math.max(bytes, residentBytes(service.pid));
    await delay(BETWEEN_CALLS_MS);
  }
  agent.destroy();
  const { p50, p99 } = summarize(us);
  const times = [p50, p99, Math.max(...us)].map(formatUs);
  return [formatCount(us.length), formatCount(failed), ...times, formatMegabytes(bytes)];
}

const CALLS = ['par', 'london', 'new york', 'sprngfield', 'tokio', 'berlin', 'san fra'];

/** Long names of many words with a transposition in each word, which are the slowest to search. */
function slowTexts(places: readonly BenchPlace[]): string[] {
  return places
    .map(({ name }) => name)
    .filter((name) => name.split(' ').length >= 6)
    .sort((a, b) => b.length - a.length)
    .slice(0, 60)
    .map((name) => name.split(' ').map(withTransposition).join(' '));
}

function withTransposition(word: string): string {
  if (word.length < 4) return word;
  const middle = word.length >> 1;
  return word.slice(0, middle - 1) + word[middle] + word[middle - 1] + word.slice(middle + 1);
}

function createReport(rows: readonly string[][]): SectionReport {
  return {
    title: TITLE,
    method: [
      'The hostile clients have one loopback address each, and reconnect when they are disconnected. The bystander is an ordinary client ' +
        'that sends its next request 5 ms after each response. All share the cores with the service.',
    ],
    tables: [
      {
        title: 'Latency of the bystander',
        columns: ['attack', 'calls', 'failed', 'p50', 'p99', 'max', 'resident'],
        rows,
      },
    ],
    panels: [],
    skipped: [],
  };
}
