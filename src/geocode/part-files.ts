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
  statSync,
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
  const isWhole = (part: string, i: number) =>
    (statSync(part, { throwIfNoEntry: false })?.size ?? -1) >= (found?.lengths[i] ?? 0);
  const resumed = found?.run === run && parts.every(isWhole) ? found : undefined;
  const lengths = parts.map((_, i) => resumed?.lengths[i] ?? 0);
  const handles = parts.map((part, i) => {
    if (resumed === undefined) {
      for (const old of [checkpoint, part]) rmSync(old, { force: true });
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
      for (const handle of handles) {
        fdatasyncSync(handle);
        closeSync(handle);
      }
      // first, because it is wrong as soon as a part has another name
      if (run !== undefined) rmSync(checkpoint, { force: true });
      for (const [i, part] of parts.entries()) renameSync(part, paths[i]!);
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
