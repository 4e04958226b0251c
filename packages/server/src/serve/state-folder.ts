/** The state folder, which holds everything that must survive a restart. */

import { accessSync, constants } from 'node:fs';
import { join, resolve } from 'node:path';
import { errorReason, UsageError } from 'toponym-files/errors/errors';
import { makeFolder } from 'toponym-files/new-file';

export interface StateFolder {
  readonly path: string;
  readonly keysPath: string;
  readonly firstKeyPath: string;
  /** Copy of the keys in Redis. */
  readonly redisKeysPath: string;
  /** Indexes of `toponym update`, and the embedded index if the user's cache is unusable. */
  readonly indexFolder: string;
}

/** Resolves the paths; creates nothing. */
export function stateFolderAt(folder: string): StateFolder {
  const path = resolve(folder);
  return {
    path,
    keysPath: join(path, 'keys.sqlite'),
    firstKeyPath: join(path, 'first-key.txt'),
    redisKeysPath: join(path, 'redis-keys.json'),
    indexFolder: join(path, 'index'),
  };
}

/** Creates a missing folder, readable by its owner only. Throws if the folder is not writable. */
export function openStateFolder(folder: string): StateFolder {
  const state = stateFolderAt(folder);
  makeWritableFolder(state.path);
  return state;
}

export function openIndexFolder(state: StateFolder): string {
  makeWritableFolder(state.indexFolder);
  return state.indexFolder;
}

function makeWritableFolder(path: string): void {
  try {
    makeFolder(path);
    accessSync(path, constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new UsageError(
      `The state folder ${path} cannot be written (${errorReason(error)}); choose another with --state.`,
      { cause: error },
    );
  }
}
