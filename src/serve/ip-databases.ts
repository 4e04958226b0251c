/** The IP databases that the settings select: checked before the service starts, loaded after. */
import { errorMessage } from '../errors/error-message.ts';
import { UsageError } from '../errors/usage-error.ts';
import { embeddedIpDatabasePaths } from '../locate/embedded-ip-databases.ts';
import { type CheckedIpDatabase, checkIpDatabase, IpDatabaseError } from '../locate/ip-database.ts';
import type { Logger } from './log.ts';

/** Undefined selects the embedded files, and `['none']` no file. Throws UsageError. */
export function checkIpDatabases(paths: readonly string[] | undefined, log: Pick<Logger, 'warn'>): CheckedIpDatabase[] {
  if (paths?.length === 1 && paths[0] === 'none') return [];
  const selected = paths ?? embeddedIpDatabasePaths();
  if (selected.length === 0) {
    log.warn('No IP database: aroundLatLngViaIP cannot locate addresses. Name a file with --ip-database.');
  }
  try {
    return selected.map(checkIpDatabase);
  } catch (error) {
    if (!(error instanceof IpDatabaseError)) throw error;
    throw new UsageError(error.message, { cause: error });
  }
}

/** Never rejects: a database that cannot be loaded is logged and not used. */
export async function loadIpDatabases(databases: readonly CheckedIpDatabase[], log: Logger): Promise<void> {
  for (const { load } of databases)
    await load().catch((error: unknown) => log.error({ err: error }, errorMessage(error)));
}
