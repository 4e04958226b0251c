/** Compares the installed packages with the lock file. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** @typedef {{ version: string, link?: boolean, dev?: boolean, devOptional?: boolean, optional?: boolean }} LockedPackage */

/**
 * Returns the paths of needed packages that are missing or have another version. Optional packages
 * may be missing, because most are for other platforms, except for `nodePackage`.
 * @param {string} root
 * @param {{ needsDev: boolean, nodePackage: string | undefined }} needs
 */
export function missingPackages(root, { needsDev, nodePackage }) {
  const locked = readPackages(join(root, 'package-lock.json')) ?? {};
  // npm writes this file last, so it is missing after an interrupted installation
  const installed = readPackages(join(root, 'node_modules', '.package-lock.json')) ?? {};
  return Object.entries(locked)
    .filter(([path, entry]) => {
      if (entry.link) return !existsSync(join(root, path)); // to one of our own packages
      const isOwn = !path.includes('node_modules/');
      if (isOwn || (isForDevelopment(entry) && !needsDev)) return false;
      const present = installed[path];
      if (present !== undefined) return present.version !== entry.version;
      return !entry.optional || path === `node_modules/${nodePackage}`;
    })
    .map(([path]) => path);
}

/** @param {LockedPackage} entry */
function isForDevelopment(entry) {
  return entry.dev === true || entry.devOptional === true;
}

/**
 * @param {string} path
 * @returns {Record<string, LockedPackage> | undefined} by path from the root
 */
function readPackages(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8')).packages;
  } catch {
    return undefined;
  }
}
