/**
 * Tells when a file was replaced or changed, by asking for its time, size and number at intervals: that works on every
 * file system, and for files that are renamed into place, as ours are. A change is told once it has settled: the file
 * looks the same two times in a row, so one that is still being written is left alone.
 */
import { statSync } from 'node:fs';

export interface FileWatch {
  stop(): void;
}

export function watchFiles(paths: readonly string[], everyMs: number, onChange: () => void): FileWatch {
  const look = createLook(paths);
  const timer = setInterval(() => {
    if (look()) onChange();
  }, everyMs);
  timer.unref();
  return { stop: () => clearInterval(timer) };
}

/** Each call looks once; true when some file has changed since it was last told, and has settled. */
export function createLook(
  paths: readonly string[],
  signatureOf: (path: string) => string = statSignature,
): () => boolean {
  const told = paths.map(signatureOf);
  const last = [...told];
  return () => {
    let isChanged = false;
    paths.forEach((path, i) => {
      const now = signatureOf(path);
      if (now !== '' && now === last[i] && now !== told[i]) {
        told[i] = now;
        isChanged = true;
      }
      last[i] = now;
    });
    return isChanged;
  };
}

/** Empty while there is no such file. */
function statSignature(path: string): string {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat === undefined ? '' : `${stat.ino} ${stat.size} ${stat.mtimeMs}`;
}
