/** Messages between a measuring process (run-peer.ts) and its parent (peer-process.ts). */

export type FromPeer = Ready | { readonly kind: 'unavailable'; readonly reason: string } | Measured;

export interface Ready {
  readonly kind: 'ready';
  readonly name: string;
  readonly version: string;
  readonly loadMs: number;
  /** Memory of the whole process after loading and a garbage collection. */
  readonly residentBytes: number;
}

export interface Measured {
  readonly kind: 'measured';
  /** Latencies in query order; slow peers do not reach all queries within the time budget. */
  readonly latenciesUs: Float64Array;
  /** Ids of places per query, of the first pass. */
  readonly results: readonly (readonly string[])[];
}

export interface Measure {
  readonly queries: readonly unknown[];
  readonly limit: number;
  readonly budgetMs: number;
}
