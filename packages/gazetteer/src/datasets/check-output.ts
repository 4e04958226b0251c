/** Output files of commands, checked early, so that an hour-long build does not end in an error. */

import { accessSync, constants, readdirSync, type Stats, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { MAGIC } from 'toponym-engine/index-file/layout';
import { errorReason, UsageError } from 'toponym-files/errors/errors';
import { readStart } from 'toponym-files/regular-file';

/** Throws UsageError, naming `flag`, if `out` cannot be written, or is one of `inputs` (files or folders). */
export function checkOutputFile(out: string, inputs: readonly string[], flag = '--out'): void {
  const unwritable = (cause: unknown) => unwritableOutput(out, cause, flag);
  const existing = statSync(out, { throwIfNoEntry: false });
  if (existing?.isDirectory()) throw unwritable('it is a folder; name a file in it');
  // renaming would replace a device or pipe with a file
  if (existing?.isFile() === false) throw unwritable('it is not a regular file');
  const folder = dirname(out);
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === false) {
    throw unwritable(`${folder} is not a folder`);
  }
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
  } catch (error) {
    throw unwritable(error);
  }
  const input = existing === undefined ? undefined : findInput(out, existing, inputs);
  if (input !== undefined) throw unwritable(`it is also an input (${input}); name another file`);
}

/** Turns what `write` throws into a UsageError. */
export async function writeOutputFile(out: string, write: () => void | Promise<void>, flag = '--out'): Promise<void> {
  try {
    await write();
  } catch (error) {
    throw unwritableOutput(out, error, flag);
  }
}

export function unreadableOutput(out: string, cause: unknown): UsageError {
  const advice = 'make it readable, delete it or name another file';
  return new UsageError(`--out ${out} exists and cannot be read: ${errorReason(cause)}; ${advice}.`, { cause });
}

/** `cause` is an error or the reason as text. */
function unwritableOutput(out: string, cause: unknown, flag: string): UsageError {
  return new UsageError(`${flag} ${out} cannot be written: ${errorReason(cause)}.`, { cause });
}

/** Finds the input that is the same file as `out`, possibly through a link. */
function findInput(out: string, outStats: Stats, inputs: readonly string[]): string | undefined {
  const files = inputs.flatMap((path) => {
    if (!tryStat(path)?.isDirectory()) return [path];
    // an index in the folder is the output of an earlier build, not an input
    return isIndex(out) ? [] : readdirSync(path).map((name) => join(path, name));
  });
  return files.find((path) => {
    const stats = tryStat(path);
    return stats?.dev === outStats.dev && stats.ino === outStats.ino;
  });
}

function isIndex(out: string): boolean {
  try {
    return readStart(out, MAGIC.length).toString('latin1') === MAGIC;
  } catch (error) {
    throw unreadableOutput(out, error);
  }
}

/** Returns undefined on an error, which the command reports when it reads its inputs. */
function tryStat(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}
