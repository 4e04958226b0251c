/**
 * The output of an importer: a stream of places, the countries and divisions they belong to, and a
 * report of the rows read and rejected.
 */
import type { Place, Region } from './place.ts';

export interface Country {
  /** ISO 3166-1 alpha-2, upper case. */
  readonly code: string;
  /** English name. */
  readonly name: string;
  /** Names in other languages, codes and abbreviations: "Deutschland", "GER", "U.K.". */
  readonly aliases: readonly string[];
}

export interface Gazetteer {
  /** Identifies the data, e.g. `geonames-cities500-2026-05-02`. */
  readonly version: string;
  readonly attribution: readonly string[];
  readonly countries: readonly Country[];
  readonly regions: readonly Region[];
  readonly places: AsyncIterable<Place>;
  /** Overlays only: ids of the places of the index below that the overlay replaces or removes. */
  readonly replaces?: readonly string[];
  /** Final once `places` has been read to its end. */
  readonly report: SourceReport;
}

export interface SourceReport {
  rowsRead: number;
  rowsKept: number;
  /** For each reason, how many rows, and the first few of them as `file:line: what was found`. */
  readonly rejected: Map<string, { count: number; readonly samples: string[] }>;
}
