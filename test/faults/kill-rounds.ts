/**
 * Kills a process that builds and writes an index, at random moments, and checks the result: a
 * complete index, never older than the one before, and at most one unfinished file.
 * Long run: node test/faults/kill-rounds.ts --rounds 1000
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { openIndex } from 'toponym-engine/index-file/open-index';
import { readIndexFile } from 'toponym-files/index-file';
import { OutputLines } from '../support/output-lines.ts';
import { seededRandom } from '../support/seeded-random.ts';

const PROGRAM = fileURLToPath(new URL('./build-over-and-over.ts', import.meta.url));
/** A process is killed in one of its first builds, after a part of the time that a build may take. */
const MAX_BUILDS = 4;
const MAX_DELAY_MS = 50;

export interface KillReport {
  readonly rounds: number;
  /** Rounds that produced a newer index. */
  readonly renewed: number;
  /** Rounds that left an unfinished file. */
  readonly unfinished: number;
}

/** Throws if a kill left anything but a complete index that is not older than the one before. */
export async function runKillRounds(file: string, rounds: number, seed: number): Promise<KillReport> {
  const random = seededRandom(seed);
  let last = [0, 0];
  let renewed = 0;
  let unfinished = 0;
  for (let round = 1; round <= rounds; round++) {
    await killOneBuilder(file, round, { build: 1 + random(MAX_BUILDS), afterMs: random(MAX_DELAY_MS) });
    const found = existsSync(file) ? versionOf(file) : [0, 0];
    const others = readdirSync(dirname(file)).filter((name) => name !== basename(file));
    if (isBefore(found, last)) throw new Error(`round ${round}: index ${found} replaced ${last}`);
    if (others.length > 1) throw new Error(`round ${round}: left behind ${others.join(', ')}`);
    if (isBefore(last, found)) renewed++;
    unfinished += others.length;
    last = found;
  }
  return { rounds, renewed, unfinished };
}

async function killOneBuilder(
  file: string,
  round: number,
  { build, afterMs }: { build: number; afterMs: number },
): Promise<void> {
  const child = spawn(process.execPath, [PROGRAM, file, String(round)], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  await new OutputLines(child.stdout).contains('building', build);
  await delay(afterMs);
  child.kill('SIGKILL');
  const [code] = await ended;
  if (code !== null) throw new Error(`round ${round}: the builder exited by itself with code ${code}`);
}

/** Reading verifies every byte. */
function versionOf(file: string): number[] {
  return openIndex(readIndexFile(file)).metadata.version.split('-').map(Number);
}

function isBefore([roundA = 0, buildA = 0]: readonly number[], [roundB = 0, buildB = 0]: readonly number[]): boolean {
  return roundA < roundB || (roundA === roundB && buildA < buildB);
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: { rounds: { type: 'string', default: '1000' }, seed: { type: 'string', default: '1' } },
  });
  const folder = mkdtempSync(join(tmpdir(), 'toponym-kill-'));
  try {
    const report = await runKillRounds(join(folder, 'a.toponym'), Number(values.rounds), Number(values.seed));
    process.stdout.write(`${JSON.stringify(report)}\n`);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
