/** This program: its version, and how its user calls it. */

import { realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ROOT } from './root.ts';

/** Version of this program, from its package.json. */
export const VERSION = (createRequire(ROOT)('./package.json') as { version: string }).version;

/** Path of the command `toponym`. */
export const PROGRAM = fileURLToPath(new URL('bin/toponym.js', ROOT));

/** `toponym` if that is this program, as in the container image; otherwise `npx toponym`. */
export function commandName(path: string | undefined = process.env.PATH): string {
  const program = realPath(PROGRAM);
  const isInPath = (path ?? '')
    .split(delimiter)
    .filter((folder) => !/node_modules[\\/]\.bin$/.test(folder)) // npx adds it for this process only
    .some((folder) => program !== undefined && realPath(join(folder, 'toponym')) === program);
  return isInPath ? 'toponym' : 'npx toponym';
}

function realPath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}
