/**
 * What is measured: something that takes all places and answers one kind of question with the ids of places, best first.
 * Each peer runs in a process of its own (run-peer.ts), so that none pays for the memory of another.
 */
import { readFileSync } from 'node:fs';
import type { BenchPlace } from './places.ts';

export interface Peer<Query> {
  readonly name: string;
  readonly version: string;
  /** What exactly it indexes and how it is set, for the report. */
  readonly settings: string;
  /** `indexFile` is ours; the peers build their own. */
  load(places: readonly BenchPlace[], indexFile: string): Promise<void> | void;
  /** Ids of places. A peer that can answer without waiting does, so that no tick of the event loop is measured. */
  search(query: Query, limit: number): readonly string[] | Promise<readonly string[]>;
  close?(): Promise<void> | void;
}

/** Thrown by `load` where this machine lacks what the peer needs. */
export class Unavailable extends Error {}

/** The installed version of a package, by its manifest beside this file. */
export function installedVersion(name: string): string {
  const manifest = new URL(`./node_modules/${name}/package.json`, import.meta.url);
  return (JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version;
}
