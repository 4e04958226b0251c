/**
 * The folder for what a user's programs can make again: `$XDG_CACHE_HOME/toponym`, `~/.cache/toponym`, and on Windows
 * `%LOCALAPPDATA%\toponym`.
 */
import { accessSync, constants } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { makeFolder } from '../files/make-folder.ts';

/** Undefined for a user without a home. Makes nothing. */
export function userCacheFolder(
  env: Readonly<Record<string, string | undefined>> = process.env,
  platform: string = process.platform,
): string | undefined {
  const named = platform === 'win32' ? env.LOCALAPPDATA : env.XDG_CACHE_HOME;
  // the XDG specification has relative paths ignored
  if (named !== undefined && isAbsolute(named)) return join(named, 'toponym');
  const home = homeOf(env);
  return home === undefined ? undefined : join(home, '.cache', 'toponym');
}

/** Makes the folder if it is missing. */
export function isWritableFolder(path: string): boolean {
  try {
    makeFolder(path);
    accessSync(path, constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function homeOf(env: Readonly<Record<string, string | undefined>>): string | undefined {
  if (env.HOME !== undefined && isAbsolute(env.HOME)) return env.HOME;
  try {
    return homedir();
  } catch {
    return undefined; // the user has no entry in the system's list, as in containers
  }
}
