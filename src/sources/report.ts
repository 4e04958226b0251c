/**
 * The account an importer keeps of what it read: rows kept, and rows refused by reason.
 * A bad row never stops an import; it shows up here, with the first few quoted.
 */
import type { SourceReport } from '../place/gazetteer.ts';
import { shorten } from './json-preview.ts';

/** Enough to see what is wrong with a file, few enough to print. */
const MAX_SAMPLES = 5;

/** Where in a source something was read. */
export interface RowPosition {
  readonly file: string;
  /** Counts from 1; in a file without lines, the element's id. */
  readonly line: number | string;
}

/** Told while a source is opened, where that takes passes over files before the first place. */
export type OnStage = (progress: { readonly stage: string; readonly done: number }) => void;

export function createReport(): SourceReport {
  return { rowsRead: 0, rowsKept: 0, rejected: new Map() };
}

export function countKept(report: SourceReport): void {
  report.rowsRead++;
  report.rowsKept++;
}

export function countRejected(report: SourceReport, reason: string, got: string, at: RowPosition): void {
  report.rowsRead++;
  let entry = report.rejected.get(reason);
  if (entry === undefined) {
    entry = { count: 0, samples: [] };
    report.rejected.set(reason, entry);
  }
  entry.count++;
  if (entry.samples.length < MAX_SAMPLES) entry.samples.push(`${at.file}:${at.line}: ${shorten(got)}`);
}
