/** Opens the index that the options of `openToponym` name. */
import { resolve } from 'node:path';
import { bufferOf, type IndexBytes } from 'toponym-engine/library/checks';
import { openEngine } from 'toponym-engine/open-engine';
import { verifyIndex } from 'toponym-files/index-file';
import { loadWorldBorders } from 'toponym-files/load-world-borders';
import { type IndexChoice, refuseIndexUrl } from 'toponym-gazetteer/datasets/index-choice';
import { loadIndex, withOverlay } from 'toponym-gazetteer/datasets/load-index';
import { type OpenOptions, OpenToponym, type Toponym } from './toponym.ts';

export async function openIndexSource(options: OpenOptions): Promise<Toponym> {
  const { index: given, overlay: overlayPath, onProgress = createTerminalLine() } = options;
  const isPath = given === undefined || typeof given === 'string';
  const work = stoppable(onProgress);
  const index = isPath ? await loadIndex(chosenIndex(given), NO_STATE_FOLDER, work) : verifiedBuffer(given);
  const overlaid = await withOverlay(index, overlayPath, NO_STATE_FOLDER, work);
  return new OpenToponym(openEngine(overlaid, { loadBorders: loadWorldBorders }));
}

/** The library has none to look for an index in. */
const NO_STATE_FOLDER = undefined;

/** Prints one line on a terminal at the first progress, because a program would seem to hang. */
export function createTerminalLine(stream: Pick<NodeJS.WriteStream, 'isTTY' | 'write'> = process.stderr): () => void {
  let isFirst = stream.isTTY;
  return () => {
    if (isFirst)
      stream.write('toponym: indexing places. This is done once, and takes about 20 seconds with the embedded data.\n');
    isFirst = false;
  };
}

/** An error that the caller's `onProgress` throws stops the work, and is thrown. */
function stoppable(onProgress: NonNullable<OpenOptions['onProgress']>) {
  const stopping = new AbortController();
  return {
    stopping: stopping.signal,
    onProgress: (progress: Parameters<typeof onProgress>[0]) => {
      try {
        onProgress(progress);
      } catch (error) {
        stopping.abort(error);
      }
    },
  };
}

function chosenIndex(path: string | undefined): IndexChoice {
  if (path === undefined) return { kind: 'embedded' };
  refuseIndexUrl(path);
  return { kind: 'file', path: resolve(path) };
}

function verifiedBuffer(bytes: IndexBytes): ArrayBuffer | SharedArrayBuffer {
  const buffer = bufferOf(bytes);
  verifyIndex(buffer);
  return buffer;
}
