/**
 * What importers report to their callers: progress while a source is opened; then the number of
 * rows read, kept, and rejected for each reason (with samples). A bad row never stops an import.
 */
import type { SourceReport } from '../place/gazetteer.ts';
import { shorten } from './json-preview.ts';

const MAX_SAMPLES_PER_REASON = 5;

export interface Rejection {
  /** The same text for all rows with this problem. */
  readonly reason: string;
  /** The offending value, or a message that contains it. */
  readonly got: string;
}

export interface RowPosition {
  readonly file: string;
  /** Line number from 1; in an OpenStreetMap file, which has no lines, the id of the element. */
  readonly line: number | string;
}

/**
 * Called while a source is opened, which may take several passes over its files. `stage` names the
 * pass, and `done` is the number of lines (in .osm.pbf files: of blocks) that it has read.
 */
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

/** Counts a row in `rejected` only: `rowsRead` must already include it. */
export function addRejection({ rejected }: SourceReport, reason: string, sample: string): void {
  const entry = rejected.get(reason) ?? { count: 0, samples: [] };
  rejected.set(reason, entry);
  entry.count++;
  if (entry.samples.length < MAX_SAMPLES_PER_REASON) entry.samples.push(sample);
}
