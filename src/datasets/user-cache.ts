/** The user's cache folder, such as `~/.cache/toponym`. */
import { accessSync, constants } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { makeFolder } from '../files/new-file.ts';

/** Path of the folder, which may not exist yet; undefined for a user without a home folder. */
export function userCacheFolder(
  env: Readonly<Record<string, string | undefined>> = process.env,
  platform: string = process.platform,
): string | undefined {
  const configured = platform === 'win32' ? env.LOCALAPPDATA : env.XDG_CACHE_HOME;
  // the XDG specification requires that relative paths are ignored
  if (configured !== undefined && isAbsolute(configured)) return join(configured, 'toponym');
  try {
    const home = env.HOME ?? homedir();
    return isAbsolute(home) ? join(home, '.cache', 'toponym') : undefined;
  } catch {
    return undefined; // the system does not know the user, as in some containers
  }
}

/** Creates the folder if it is missing. Returns whether it can be written. */
export function ensureWritableFolder(path: string): boolean {
  try {
    makeFolder(path);
    accessSync(path, constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
