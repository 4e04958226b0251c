/** Starts and leads the processes that measure (run-peer.ts). */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { FromPeer, Measure, Measured, Ready } from './peer-messages.ts';

export interface PeerInput {
  readonly placesFile: string;
  readonly indexFile: string;
}

export interface PeerProcess extends Omit<Ready, 'kind'> {
  measure(measure: Measure): Promise<Measured>;
  stop(): Promise<void>;
}

const RUNNER = fileURLToPath(new URL('./run-peer.ts', import.meta.url));
/** MiniSearch, Orama and FlexSearch hold far more objects than Node's default heap is meant for. */
const HEAP = '--max-old-space-size=6144';

/**
 * Loads the peers; those that this machine lacks something for are named in `skipped`. One after the other, so that none
 * slows another's loading, or all at once where that is not to be measured.
 */
export async function startPeers(
  files: readonly URL[],
  { isAtOnce, ...input }: PeerInput & { readonly isAtOnce: boolean },
): Promise<{ peers: PeerProcess[]; skipped: string[] }> {
  const peers: PeerProcess[] = [];
  const skipped: string[] = [];
  const starting = isAtOnce ? files.map((file) => startPeer(file, input)) : [];
  for (const [i, file] of files.entries()) {
    const started = await (starting[i] ?? startPeer(file, input));
    if (typeof started === 'string') skipped.push(started);
    else peers.push(started);
    console.log(typeof started === 'string' ? `  skipped ${started}` : `  loaded ${started.name} ${started.version}`);
  }
  return { peers, skipped };
}

async function startPeer(file: URL, { placesFile, indexFile }: PeerInput): Promise<PeerProcess | string> {
  const child = fork(RUNNER, [file.href, placesFile, indexFile], {
    execArgv: ['--expose-gc', HEAP, '--disable-warning=ExperimentalWarning'],
    serialization: 'advanced',
  });
  const first = await answerOf(child);
  if (first.kind === 'unavailable') {
    await stop(child);
    return first.reason;
  }
  if (first.kind !== 'ready') throw new Error(`${file.href} answered ${first.kind} before it was ready`);
  return {
    ...first,
    measure: async (measure) => {
      child.send(measure);
      return (await answerOf(child)) as Measured;
    },
    stop: () => stop(child),
  };
}

async function answerOf(child: ChildProcess): Promise<FromPeer> {
  const abort = new AbortController();
  const died = once(child, 'exit', { signal: abort.signal }).then(([code]) => {
    throw new Error(`the measuring process ${child.spawnargs.at(-3)} ended with code ${code}`);
  });
  died.catch(() => {});
  try {
    const [message] = await Promise.race([once(child, 'message', { signal: abort.signal }), died]);
    return message as FromPeer;
  } finally {
    abort.abort();
  }
}

async function stop(child: ChildProcess): Promise<void> {
  const exit = once(child, 'exit');
  child.disconnect();
  await exit;
}
