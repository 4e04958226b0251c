/**
 * Engine answers as the API shows them. Field names are Algolia's where Algolia has one; fields without a value are
 * left out.
 */
import type { Engine, FullRecord, SearchResult } from '../../engine/engine.ts';
import type { LatLng } from '../../place/sphere.ts';
import { writeHits, writeRecord } from './hit-json.ts';
import { JsonBytes } from './json-bytes.ts';
import type { Latin1Bytes } from './latin1-bytes.ts';

/** What an answer says about its request. */
export interface AnswerFrame {
  readonly query: string;
  readonly hitsPerPage: number;
  readonly params: string;
  readonly point: LatLng | undefined;
  /** Something the caller should know that is no error. */
  readonly message?: string | undefined;
  readonly processingTimeMS: number;
}

const HITS = Buffer.from('{"hits":[');
const NB_HITS = Buffer.from('],"nbHits":');
const HITS_PER_PAGE = Buffer.from(',"hitsPerPage":');
const INEXACT_HITS_PER_PAGE = Buffer.from(',"exhaustiveNbHits":false,"hitsPerPage":');
const QUERY = Buffer.from(',"query":"');
const PARAMS = Buffer.from('","params":"');
const TIME = Buffer.from('","processingTimeMS":');
const out = new JsonBytes();

export function presentResult(result: SearchResult, frame: AnswerFrame, engine: Engine): Latin1Bytes {
  out.clear();
  out.bytes(HITS);
  writeHits(out, result.hits, frame.point);
  writeFrame(result, frame, engine);
  return out.take();
}

export function presentFullRecord({ record, label, names, supersededBy }: FullRecord): Latin1Bytes {
  out.clear();
  writeRecord(out, record, label);
  const successor = supersededBy === undefined ? '' : `,"supersededBy":"${supersededBy}"`;
  out.text(`,"names":${JSON.stringify(names)}${successor}}`);
  return out.take();
}

export function formatLatLng(point: LatLng): string {
  return `${point.lat},${point.lng}`;
}

/** What follows the hits. */
function writeFrame(
  { total, isTotalExact, isExhaustive, degraded }: SearchResult,
  frame: AnswerFrame,
  engine: Engine,
): void {
  const { point, message } = frame;
  out.bytes(NB_HITS);
  out.number(total);
  out.bytes(isTotalExact ? HITS_PER_PAGE : INEXACT_HITS_PER_PAGE);
  out.number(frame.hitsPerPage);
  out.bytes(QUERY);
  out.escaped(frame.query);
  out.bytes(PARAMS);
  out.escaped(frame.params);
  out.bytes(TIME);
  out.number(frame.processingTimeMS);
  if (point !== undefined) out.text(`,"aroundLatLng":"${formatLatLng(point)}"`);
  if (!isExhaustive) out.text(',"exhaustive":false');
  if (message !== undefined) out.text(`,"message":${JSON.stringify(message)}`);
  if (degraded !== undefined) out.text(`,"degradedQuery":${JSON.stringify(degraded)}`);
  out.bytes(datasetPiece(engine));
}

const datasets = new WeakMap<Engine, Buffer>();

/** The data, and the end of the answer. */
function datasetPiece(engine: Engine): Buffer {
  let piece = datasets.get(engine);
  if (piece === undefined) {
    const { version, attribution, places } = engine.dataset;
    piece = Buffer.from(`,"dataset":${JSON.stringify({ version, attribution, places })}}`);
    datasets.set(engine, piece);
  }
  return piece;
}
