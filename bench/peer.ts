/**
 * Interface of a measured engine: it loads all places and returns the ids of the best places for a
 * query. Each peer runs in its own process (run-peer.ts), so that memory use is not shared. A comment
 * in each peer's file says which fields it indexes and with which settings.
 */
import { readFileSync } from 'node:fs';
import type { BenchPlace } from './places.ts';

export interface Peer<Query> {
  readonly name: string;
  readonly version: string;
  /** `indexFile` is the Toponym index; the peers build their own. */
  load(places: readonly BenchPlace[], indexFile: string): Promise<void> | void;
  /** Returns ids of places; synchronous if possible, so that no event-loop tick is measured. */
  search(query: Query, limit: number): readonly string[] | Promise<readonly string[]>;
  close?(): Promise<void> | void;
}

/** Thrown by `load` if the peer cannot run on this machine. */
export class Unavailable extends Error {}

/** Returns the version of a package installed in this folder. */
export function installedVersion(name: string): string {
  const manifest = new URL(`./node_modules/${name}/package.json`, import.meta.url);
  return (JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version;
}
