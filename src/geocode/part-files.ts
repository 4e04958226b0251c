/**
 * Files of a run that may be interrupted at any moment. They are written beside their final names, with the ending
 * `.part`, and a checkpoint says how far they are complete. The run that goes on cuts off what came later, which
 * may be half a line.
 */
import {
  closeSync,
  fdatasyncSync,
  ftruncateSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createFile } from '../files/new-file.ts';
import { replaceFile } from '../files/replace-file.ts';

interface Checkpoint<State> {
  /** Another run must not go on with these files. */
  readonly run: string;
  readonly lengths: readonly number[];
  readonly state: State;
}

/** Opens the files where the checkpoint of the same run says, or else empty. Without `run`, none is kept. */
export function openPartFiles<State>(paths: readonly string[], run: string | undefined) {
  const parts = paths.map((path) => `${path}.part`);
  const checkpoint = `${parts[0]}.json`;
  const found = run === undefined ? undefined : readCheckpoint<State>(checkpoint);
  const resumed = found?.run === run ? found : undefined;
  const lengths = parts.map((_, i) => resumed?.lengths[i] ?? 0);
  const handles = parts.map((part, i) => {
    if (resumed === undefined) {
      rmSync(part, { force: true });
      closeSync(createFile(part, 0o644));
    }
    const handle = openSync(part, 'a');
    ftruncateSync(handle, lengths[i]);
    return handle;
  });
  return {
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
      replaceFile(checkpoint, [Buffer.from(JSON.stringify({ run, lengths, state } satisfies Checkpoint<State>))]);
    },
    /** Gives the files their final names. */
    finish: () => {
      for (const [i, handle] of handles.entries()) {
        fdatasyncSync(handle);
        closeSync(handle);
        renameSync(parts[i]!, paths[i]!);
      }
      if (run !== undefined) rmSync(checkpoint, { force: true });
    },
  };
}

function readCheckpoint<State>(path: string): Checkpoint<State> | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Checkpoint<State>;
  } catch {
    return undefined; // there is none
  }
}
