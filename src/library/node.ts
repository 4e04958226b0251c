/**
 * The package's main export: the engine in this process, without a server. What it needs is
 * imported only after the check of Node.js, because an older one lacks modules.
 */
import { isNodeNewEnough, nodeTooOldMessage } from '../node-version.js';
import { checkOpenOptions, type OpenOptions, type OpenProgress } from './open-options.ts';
import type { Toponym } from './toponym.ts';

export type * from '../engine/engine.ts';
export { IndexFormatError } from '../index-file/format-error.ts';
export type { ReverseOptions, SearchOptions } from './check-query.ts';
export type { IndexBytes } from './index-bytes.ts';
export type { PlainHit, Results } from './toponym.ts';
export type { OpenOptions, OpenProgress, Toponym };

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
