/**
 * The package's main export: the engine in this process, without a server. What it needs is
 * imported only after the check of Node.js, because an older one lacks modules.
 */
import { type Check, type IndexBytes, isIndexBytes, isPlainObject, preview } from 'toponym-engine/library/checks';
import { isNodeNewEnough, nodeTooOldMessage } from '../node-version.js';
import type { OpenOptions, Toponym } from './toponym.ts';

export type * from 'toponym-engine/engine';
export { IndexFormatError } from 'toponym-engine/index-file/open-index';
export type { PlainHit, Results } from 'toponym-engine/library/checked-engine';
export type { ReverseOptions, SearchOptions } from 'toponym-engine/library/checks';
export type { OpenProgress } from './toponym.ts';
export type { IndexBytes, OpenOptions, Toponym };

/**
 * Throws IndexFormatError if the index is damaged, TypeError for wrong options, and an error with
 * the system's error as its `cause` if a file cannot be read.
 */
export async function openToponym(options: OpenOptions = {}): Promise<Toponym> {
  if (!isNodeNewEnough()) throw new Error(`${nodeTooOldMessage()} Install it from https://nodejs.org.`);
  checkOpenOptions(options);
  const { openIndexSource } = await import('./open-index-source.ts');
  return await openIndexSource(options);
}

const CHECKS: Readonly<Record<keyof OpenOptions, Check>> = {
  index: {
    isValid: (value) => (typeof value === 'string' ? !/^https?:/.test(value) : isIndexBytes(value)),
    expected: 'the path of an index file, or its bytes',
  },
  overlay: { isValid: (value) => typeof value === 'string', expected: 'the path of an overlay file' },
  onProgress: { isValid: (value) => typeof value === 'function', expected: 'a function' },
};

/** Throws TypeError. */
function checkOpenOptions(options: OpenOptions): void {
  if (!isPlainObject(options)) throw new TypeError(`openToponym: options must be an object, got ${preview(options)}`);
  for (const [name, value] of Object.entries(options)) {
    const check = Object.hasOwn(CHECKS, name) ? CHECKS[name as keyof OpenOptions] : undefined;
    if (check === undefined) {
      throw new TypeError(`openToponym: unknown option "${name}". Known options: ${Object.keys(CHECKS).join(', ')}`);
    }
    if (value !== undefined && !check.isValid(value)) {
      throw new TypeError(`openToponym: ${name} must be ${check.expected}, got ${preview(value)}`);
    }
  }
}
