/**
 * What an importer hands to the builder: places as a stream, the divisions and countries they name,
 * and an account of what was read and refused.
 */
import type { Place, Region } from './place.ts';

export interface Country {
  /** ISO 3166-1 alpha-2, upper case. */
  readonly code: string;
  /** In English. */
  readonly name: string;
  /** Names in other languages, codes and abbreviations people type: "Deutschland", "GER", "U.K.". */
  readonly aliases: readonly string[];
}

export interface Gazetteer {
  /** Names the data, e.g. `geonames-cities500-2026-05-02`. */
  readonly version: string;
  readonly attribution: readonly string[];
  readonly countries: readonly Country[];
  readonly regions: readonly Region[];
  readonly places: AsyncIterable<Place>;
  /** Of an overlay: ids of places it replaces or hides. */
  readonly replaces?: readonly string[];
  /** Complete once `places` has been read to its end. */
  readonly report: SourceReport;
}

export interface SourceReport {
  rowsRead: number;
  rowsKept: number;
  /** Reason -> how many, and the first few as `file:line: what was got`. */
  readonly rejected: Map<string, { count: number; readonly samples: string[] }>;
}
