/**
 * An importer's report: how many rows were read and kept, and how many were rejected for each
 * reason, with a few samples. A bad row never stops an import.
 */
import type { SourceReport } from '../place/gazetteer.ts';
import { shorten } from './json-preview.ts';

/** Maximum samples per reason. */
const MAX_SAMPLES = 5;

/** Position of a row in a source, for messages. */
export interface RowPosition {
  readonly file: string;
  /** Line number from 1, or the element's id in a file without lines. */
  readonly line: number | string;
}

/**
 * Called while a source is opened, which may take several passes over its files. `done` is the
 * number of lines or blocks that the pass (`stage`) has read.
 */
export type OnProgress = (progress: { readonly stage: string; readonly done: number }) => void;

export function createReport(): SourceReport {
  return { rowsRead: 0, rowsKept: 0, rejected: new Map() };
}

export function countKept(report: SourceReport): void {
  report.rowsRead++;
  report.rowsKept++;
}

export function countRejected(report: SourceReport, reason: string, got: string, at: RowPosition): void {
  report.rowsRead++;
  addRejected(report, reason, `${at.file}:${at.line}: ${shorten(got)}`);
}

/** Counts a row as rejected that is already included in `rowsRead`. */
export function addRejected({ rejected }: SourceReport, reason: string, sample: string): void {
  let entry = rejected.get(reason);
  if (entry === undefined) {
    entry = { count: 0, samples: [] };
    rejected.set(reason, entry);
  }
  entry.count++;
  if (entry.samples.length < MAX_SAMPLES) entry.samples.push(sample);
}
