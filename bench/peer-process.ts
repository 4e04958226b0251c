/** Starts and controls the measuring processes (run-peer.ts). */
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
/** MiniSearch, Orama and FlexSearch need more than the default heap of Node.js. */
const HEAP = '--max-old-space-size=6144';

/**
 * Loads the peers; `skipped` names those that cannot run on this machine. Peers load one after the
 * other so that their load times are comparable, or in parallel if load times do not matter.
 */
export async function startPeers(
  files: readonly URL[],
  { inParallel, ...input }: PeerInput & { readonly inParallel: boolean },
): Promise<{ peers: PeerProcess[]; skipped: string[] }> {
  const peers: PeerProcess[] = [];
  const skipped: string[] = [];
  const starting = inParallel ? files.map((file) => startPeer(file, input)) : [];
  for (const [i, file] of files.entries()) {
    const started = await (starting[i] ?? startPeer(file, input));
    if (typeof started === 'string') skipped.push(started);
    else peers.push(started);
    console.log(typeof started === 'string' ? `  skipped ${started}` : `  loaded ${started.name} ${started.version}`);
  }
  return { peers, skipped };
}

export async function startPeer(file: URL, { placesFile, indexFile }: PeerInput): Promise<PeerProcess | string> {
  const child = fork(RUNNER, [file.href, placesFile, indexFile], {
    execArgv: ['--expose-gc', HEAP, '--disable-warning=ExperimentalWarning'],
    serialization: 'advanced',
  });
  const first = await nextMessage(child);
  if (first.kind === 'unavailable') {
    await stop(child);
    return first.reason;
  }
  if (first.kind !== 'ready') throw new Error(`${file.href} sent ${first.kind} before it was ready`);
  return {
    ...first,
    measure: async (measure) => {
      child.send(measure);
      return (await nextMessage(child)) as Measured;
    },
    stop: () => stop(child),
  };
}

async function nextMessage(child: ChildProcess): Promise<FromPeer> {
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
