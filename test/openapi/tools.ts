/**
 * Linters of OpenAPI documents, and generators of types and clients. They are a package of their own
 * (tools/package.json), installed at first use, because only these tests need them and they have
 * 130 MB. Spectral's packages are the newest that install no analytics.
 */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { TEST_CACHE } from '../support/environment.ts';
import { installTools } from '../support/installed-tools.ts';

export const MANIFESTS = fileURLToPath(new URL('tools', import.meta.url));
const FOLDER = join(TEST_CACHE, 'openapi-tools');

/** For `createRequire`, to import a tool. */
export const TOOLS_MANIFEST = join(FOLDER, 'package.json');

/** Installs the tools if they are missing or outdated. */
export function installOpenApiTools(): Promise<void> {
  return installTools(MANIFESTS, FOLDER);
}

/** The path of a command of the tools, such as `tsc`. */
export function toolPath(command: string): string {
  return join(FOLDER, 'node_modules', '.bin', command);
}
