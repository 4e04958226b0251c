/**
 * The folder that holds what must survive a restart of the service, and the names in it.
 */
import { accessSync, constants } from 'node:fs';
import { join, resolve } from 'node:path';
import { makeFolder } from '../../files/make-folder.ts';
import { errorMessage } from '../../errors/error-message.ts';
import { UsageError } from '../../errors/usage-error.ts';

export interface StateFolder {
  readonly path: string;
  /** Hashes of keys, their fields and times of use. */
  readonly keysPath: string;
  /** The text of the key made on the first start, for its owner. */
  readonly firstKeyPath: string;
  /** Indexes that `toponym update` makes, and that of the embedded data where the user has no cache folder. */
  readonly indexFolder: string;
}

/** Names only: makes nothing. */
export function stateFolderAt(folder: string): StateFolder {
  const path = resolve(folder);
  return {
    path,
    keysPath: join(path, 'keys.sqlite'),
    firstKeyPath: join(path, 'first-key.txt'),
    indexFolder: join(path, 'index'),
  };
}

/** Makes the folder if it is missing, readable by its owner only. */
export function openStateFolder(folder: string): StateFolder {
  const state = stateFolderAt(folder);
  makeWritable(state.path);
  return state;
}

/** Makes the folder for indexes if it is missing. */
export function openIndexFolder(state: StateFolder): string {
  makeWritable(state.indexFolder);
  return state.indexFolder;
}

function makeWritable(path: string): void {
  try {
    makeFolder(path);
    accessSync(path, constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new UsageError(
      `The state folder ${path} cannot be written (${errorMessage(error)}); choose another with --state.`,
      { cause: error },
    );
  }
}
