/**
 * What importers report: the error for a source that cannot be used, and the progress and row counts
 * of one that can. A bad row never stops an import.
 */

import type { SourceReport } from 'toponym-engine/place/place';
import { PlainError } from 'toponym-files/errors/errors';

/** Thrown for a source that cannot be used. Bad rows are counted in the report instead. */
export class SourceError extends PlainError {
  override readonly name = 'SourceError';
}

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
export type OnProgress = (progress: { readonly stage: string; readonly done: number; readonly total?: number }) => void;

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

/** Rejects a row that was counted as kept. */
export function rejectKept(report: SourceReport, reason: string, ...samples: readonly string[]): void {
  report.rowsKept--;
  addRejection(report, reason, ...samples);
}

function addRejection({ rejected }: SourceReport, reason: string, ...samples: readonly string[]): void {
  const entry = rejected.get(reason) ?? { count: 0, samples: [] };
  rejected.set(reason, entry);
  entry.count++;
  if (entry.samples.length < MAX_SAMPLES_PER_REASON) entry.samples.push(...samples);
}

const MAX_DEPTH = 10;
const MAX_CHARACTERS = 120;

/**
 * Shortened JSON for error messages. JSON.stringify formats only keys and scalars here, because it
 * overflows the stack on deeply nested values.
 */
export function previewJson(value: unknown): string {
  return shorten(toJson(value, MAX_DEPTH));
}

function shorten(text: string): string {
  return text.length <= MAX_CHARACTERS ? text : `${text.slice(0, MAX_CHARACTERS)}…`;
}

function toJson(value: unknown, levelsLeft: number): string {
  if (value === undefined) return 'nothing';
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (levelsLeft === 0) return '…';
  if (Array.isArray(value)) return `[${value.map((item) => toJson(item, levelsLeft - 1)).join(',')}]`;
  const fields = Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}:${toJson(item, levelsLeft - 1)}`);
  return `{${fields.join(',')}}`;
}
