/**
 * Formats the engine's results as JSON responses. Field names are Algolia's where Algolia has the
 * field; fields without a value are omitted.
 */
import type { Engine, FullRecord, SearchResult } from '../../engine/engine.ts';
import type { LatLng } from '../../place/sphere.ts';
import { writeHits, writeRecord } from './hit-json.ts';
import { JsonWriter } from './json-writer.ts';
import type { Latin1Bytes } from './latin1-bytes.ts';

/** The fields of a response that describe its request. */
export interface RequestEcho {
  readonly query: string;
  readonly hitsPerPage: number;
  readonly params: string;
  readonly point: LatLng | undefined;
  /** A hint for the caller that is not an error. */
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
const out = new JsonWriter();

export function resultJson(result: SearchResult, echo: RequestEcho, engine: Engine): Latin1Bytes {
  const { point, message } = echo;
  out.reset();
  out.bytes(HITS);
  writeHits(out, result.hits, point);
  out.bytes(NB_HITS);
  out.number(result.total);
  out.bytes(result.isTotalExact ? HITS_PER_PAGE : INEXACT_HITS_PER_PAGE);
  out.number(echo.hitsPerPage);
  out.bytes(QUERY);
  out.escaped(echo.query);
  out.bytes(PARAMS);
  out.escaped(echo.params);
  out.bytes(TIME);
  out.number(echo.processingTimeMS);
  if (point !== undefined) out.text(`,"aroundLatLng":"${formatLatLng(point)}"`);
  if (!result.isExhaustive) out.text(',"exhaustive":false');
  if (message !== undefined) out.text(`,"message":${JSON.stringify(message)}`);
  if (result.degraded !== undefined) out.text(`,"degradedQuery":${JSON.stringify(result.degraded)}`);
  out.bytes(datasetPiece(engine));
  return out.toLatin1();
}

export function fullRecordJson({ record, label, names, supersededBy }: FullRecord): Latin1Bytes {
  out.reset();
  writeRecord(out, record, label);
  const successor = supersededBy === undefined ? '' : `,"supersededBy":"${supersededBy}"`;
  out.text(`,"names":${JSON.stringify(names)}${successor}}`);
  return out.toLatin1();
}

export function formatLatLng({ lat, lng }: LatLng): string {
  return `${lat},${lng}`;
}

const datasetPieces = new WeakMap<Engine, Buffer>();

/** The field `dataset` and the end of the response. */
function datasetPiece(engine: Engine): Buffer {
  let piece = datasetPieces.get(engine);
  if (piece === undefined) {
    const { version, attribution, places } = engine.dataset;
    piece = Buffer.from(`,"dataset":${JSON.stringify({ version, attribution, places })}}`);
    datasetPieces.set(engine, piece);
  }
  return piece;
}
