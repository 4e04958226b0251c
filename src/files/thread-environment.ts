/** Environment variables for a new thread, with which it uses the compile cache of this one. */
import { getCompileCacheDir } from 'node:module';
import { dirname } from 'node:path';

export function threadEnvironment(): NodeJS.ProcessEnv {
  const folder = getCompileCacheDir(); // a subfolder of NODE_COMPILE_CACHE
  return folder === undefined ? process.env : { ...process.env, NODE_COMPILE_CACHE: dirname(folder) };
}
