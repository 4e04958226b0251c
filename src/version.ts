import { createRequire } from 'node:module';

/** Version of this program, from its package.json. */
export const VERSION = (createRequire(import.meta.url)('../package.json') as { version: string }).version;
