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
    throw new DataPackageError(`The package ${name} is not installed: run "npm install".`, { cause });
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
  try {
    return JSON.parse(readFileSync(join(folder, file), 'utf8'));
  } catch (cause) {
    const found = cause instanceof SyntaxError ? 'expected JSON, got' : 'it cannot be read:';
    throw damagedPackage(folder, file, `${found} ${errorReason(cause)}`, cause);
  }
}

/** `found` is what is wrong with the file. */
export function damagedPackage(folder: string, file: string, found: string, cause?: unknown): DataPackageError {
  const path = join(folder, file);
  const remedy = `delete the folder ${folder} and run "npm install", or install another version of ${basename(folder)}`;
  return new DataPackageError(`The data in ${path} cannot be used: ${found}; ${remedy}.`, { cause });
}
