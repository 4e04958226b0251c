/** The thread of name-indexing.ts. */
import { parentPort } from 'node:worker_threads';
import { PlaceStore } from '../place-store.ts';
import { NameIndexBuilder } from './name-index.ts';
import type { FromNameThread, ToNameThread } from './name-indexing.ts';

const builder = new NameIndexBuilder({
  onRows: (rows) => send({ rows }),
  onKeys: (keys) => send({ keys }),
});

parentPort?.on('message', (message: ToNameThread) => {
  if ('names' in message) return builder.addRows(new PlaceStore(message.names), message.names.length);
  const sections = builder.build(message.ranked);
  send(
    { sections },
    Object.values(sections).map(({ buffer }) => buffer as ArrayBuffer),
  );
});

function send(message: FromNameThread, transferred: ArrayBuffer[] = []): void {
  parentPort?.postMessage(message, transferred);
}
