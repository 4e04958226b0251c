/** The output of an importer: places, their countries and divisions, and a report. */
import type { Place, Region } from './place.ts';

export interface Country {
  /** ISO 3166-1 alpha-2, upper case. */
  readonly code: string;
  readonly name: string; // in English
  /** Names in other languages, codes and abbreviations. */
  readonly aliases: readonly string[];
}

export interface Gazetteer {
  /** Such as `geonames-cities500-2026-05-02`. */
  readonly version: string;
  readonly attribution: readonly string[];
  readonly countries: readonly Country[];
  readonly regions: readonly Region[];
  readonly places: AsyncIterable<Place>;
  /** In overlays, the ids of the places that the overlay replaces or removes. */
  readonly replaces?: readonly string[];
  /** Final once `places` has been read to its end. */
  readonly report: SourceReport;
}

export interface SourceReport {
  rowsRead: number;
  rowsKept: number;
  /** By reason. Samples are `file:line: what was found`. */
  readonly rejected: Map<string, { count: number; readonly samples: string[] }>;
}
