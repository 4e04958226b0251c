/** Environment variables for a new thread, with which it uses the compile cache of this one. */
import * as nodeModule from 'node:module';
import { dirname } from 'node:path';

export function threadEnvironment(): NodeJS.ProcessEnv {
  const folder = nodeModule.getCompileCacheDir?.(); // a subfolder of NODE_COMPILE_CACHE; Deno and Bun have none
  return folder === undefined ? process.env : { ...process.env, NODE_COMPILE_CACHE: dirname(folder) };
}
