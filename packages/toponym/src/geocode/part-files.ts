/**
 * Files of a run that may be interrupted at any moment. They are written beside their final names, with the ending
 * `.part`, and a checkpoint says how far they are complete. The run that goes on cuts off what came later, which
 * may be half a line. A lock on each file keeps other runs from writing it at the same time.
 */
import {
  closeSync,
  fchmodSync,
  fdatasyncSync,
  ftruncateSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { errorReason, UsageError } from 'toponym-files/errors/errors';
import { type Lock, takeNamedLock } from 'toponym-files/lock';
import { createFile } from 'toponym-files/new-file';
import { replaceFile } from 'toponym-files/replace-file';

interface Checkpoint<State> {
  /** Another run must not go on with these files. */
  readonly run: string;
  readonly lengths: readonly number[];
  readonly state: State;
}

/**
 * Opens the files where the checkpoint of the same run says, or else empty, with the permissions `mode`. Without
 * `run`, no checkpoint is kept. Throws UsageError if another process writes one of them. Disposing of the result
 * closes the files and ends the locks.
 */
export function openPartFiles<State>(
  paths: readonly string[],
  { run, mode }: { readonly run: string | undefined; readonly mode: number },
) {
  using unfinished = new DisposableStack();
  for (const path of paths.toSorted()) unfinished.defer(lockOutput(path));
  const parts = paths.map((path) => `${path}.part`);
  const checkpoint = `${parts[0]}.json`;
  const found = run === undefined ? undefined : readCheckpoint<State>(checkpoint);
  const isWhole = (part: string, i: number) =>
    (statSync(part, { throwIfNoEntry: false })?.size ?? -1) >= (found?.lengths[i] ?? 0);
  const resumed = found?.run === run && parts.every(isWhole) ? found : undefined;
  const lengths = parts.map((_, i) => resumed?.lengths[i] ?? 0);
  const handles: number[] = [];
  const close = () => {
    for (const handle of handles.splice(0)) closeSync(handle);
  };
  unfinished.defer(close);
  for (const [i, part] of parts.entries()) {
    if (resumed === undefined) {
      for (const old of [checkpoint, part]) rmSync(old, { force: true });
      closeSync(createFile(part, mode));
    }
    handles[i] = openSync(part, 'a');
    setMode(handles[i], mode);
    ftruncateSync(handles[i], lengths[i]);
  }
  const opened = unfinished.move();
  return {
    [Symbol.dispose]: () => opened.dispose(),
    /** What an interrupted run has saved last. */
    saved: resumed?.state,
    write: (file: number, text: string) => {
      writeFileSync(handles[file]!, text);
      lengths[file]! += Buffer.byteLength(text);
    },
    /** What has been written is not lost from now on. */
    save: (state: State) => {
      if (run === undefined) return;
      for (const handle of handles) fdatasyncSync(handle);
      const saved: Checkpoint<State> = { run, lengths, state };
      replaceFile(checkpoint, [Buffer.from(JSON.stringify(saved))], mode);
    },
    /** Gives the files their final names. */
    finish: () => {
      for (const handle of handles) fdatasyncSync(handle);
      close();
      // first, because it is wrong as soon as a part has another name
      if (run !== undefined) rmSync(checkpoint, { force: true });
      for (const [i, part] of parts.entries()) renameSync(part, paths[i]!);
    },
  };
}

/** Returns the function that ends the lock. */
function lockOutput(path: string): () => void {
  const file = `${path}.part.lock`;
  let lock: Lock | number;
  try {
    lock = takeNamedLock(file);
  } catch (error) {
    throw new UsageError(`${path} cannot be locked with the file ${file}: ${errorReason(error)}.`, { cause: error });
  }
  if (typeof lock === 'object') return lock.release;
  const advice = 'wait until it ends, or name another file';
  throw new UsageError(`${path} is already being written by process ${lock}; ${advice}.`);
}

/** Sets also the permissions that the umask takes from new files. */
function setMode(handle: number, mode: number): void {
  try {
    fchmodSync(handle, mode);
  } catch {
    // some file systems of other operating systems have no permissions
  }
}

function readCheckpoint<State>(path: string): Checkpoint<State> | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Checkpoint<State>;
  } catch {
    return undefined; // there is none
  }
}
