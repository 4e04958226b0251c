/** Progress and row counts that importers report. A bad row never stops an import. */
import type { SourceReport } from '../place/gazetteer.ts';
import { shorten } from './json-preview.ts';

const MAX_SAMPLES_PER_REASON = 5;

export interface Rejection {
  /** The same text for all rows with this problem. */
  readonly reason: string;
  /** The bad value, or a message that contains the value. */
  readonly got: string;
}

export interface RowPosition {
  readonly file: string;
  /** Line number from 1, or the id of an OpenStreetMap element. */
  readonly line: number | string;
}

/** `stage` names a pass over the files. `done` counts its lines or, in .osm.pbf files, blocks. */
export type OnProgress = (progress: { readonly stage: string; readonly done: number }) => void;

export function createReport(): SourceReport {
  return { rowsRead: 0, rowsKept: 0, rejected: new Map() };
}

export function countKept(report: SourceReport): void {
  report.rowsRead++;
  report.rowsKept++;
}

export function countRejected(report: SourceReport, { reason, got }: Rejection, at: RowPosition): void {
  report.rowsRead++;
  addRejection(report, reason, `${at.file}:${at.line}: ${shorten(got)}`);
}

/** `rowsRead` must already include the row. */
export function addRejection({ rejected }: SourceReport, reason: string, sample: string): void {
  const entry = rejected.get(reason) ?? { count: 0, samples: [] };
  rejected.set(reason, entry);
  entry.count++;
  if (entry.samples.length < MAX_SAMPLES_PER_REASON) entry.samples.push(sample);
}
