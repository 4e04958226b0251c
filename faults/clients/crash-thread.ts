/**
 * Preloaded into a service with `--import`. A worker thread that listens and finds the file named by CRASH_FILE
 * removes it and crashes, in the way that the file says: `throw`, `exit` or `memory`.
 */
import { readFileSync, renameSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

const CHECK_INTERVAL_MS = 20;
const file = process.env.CRASH_FILE ?? '';

if (!isMainThread) setInterval(crashIfAsked, CHECK_INTERVAL_MS).unref();

function crashIfAsked(): void {
  if (!process.getActiveResourcesInfo().includes('TCPServerWrap')) return; // a thread with another task
  const taken = `${file}.taken`;
  try {
    renameSync(file, taken); // succeeds in one thread only
  } catch {
    return;
  }
  const way = readFileSync(taken, 'utf8');
  if (way === 'exit') process.exit(1);
  if (way === 'throw') throw new Error('made to fail');
  const hoard: number[][] = [];
  for (;;) hoard.push(new Array(1_000_000).fill(Math.random()));
}
