/** What a measuring process (run-peer.ts) and the one that leads it (peer-process.ts) tell each other. */

export type FromPeer = Ready | { readonly kind: 'unavailable'; readonly reason: string } | Measured;

export interface Ready {
  readonly kind: 'ready';
  readonly name: string;
  readonly version: string;
  readonly settings: string;
  readonly loadMs: number;
  /** Of the whole process, once loaded and after a garbage collection. */
  readonly residentBytes: number;
}

export interface Measured {
  readonly kind: 'measured';
  /** Of the queries in their order, as many as the time allowed. */
  readonly latenciesUs: Float64Array;
  readonly answers: readonly (readonly string[])[];
}

export interface Measure {
  readonly queries: readonly unknown[];
  readonly limit: number;
  readonly budgetMs: number;
}
