/**
 * The folder that holds what must survive a restart, and the names in it.
 */
import { accessSync, constants, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { reasonOf, UsageError } from './usage-error.ts';

export interface StateFolder {
  readonly path: string;
  /** Hashes of keys, their fields and times of use. */
  readonly keysPath: string;
  /** The text of the key made on the first start, for its owner. */
  readonly firstKeyPath: string;
  /** The index of the embedded data. */
  readonly embeddedIndexPath: string;
}

/** Makes the folder where it is missing, readable by its owner only. */
export function openStateFolder(folder: string): StateFolder {
  const path = resolve(folder);
  try {
    mkdirSync(join(path, 'index'), { recursive: true, mode: 0o700 });
    accessSync(path, constants.W_OK | constants.X_OK);
    accessSync(join(path, 'index'), constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new UsageError(
      `The state folder ${path} cannot be written (${reasonOf(error)}); choose another with --state.`,
      { cause: error },
    );
  }
  return {
    path,
    keysPath: join(path, 'keys.sqlite'),
    firstKeyPath: join(path, 'first-key.txt'),
    embeddedIndexPath: join(path, 'index', 'embedded.toponym'),
  };
}
