/**
 * Engine answers as the API shows them. Field names are Algolia's where Algolia has one; fields without a value are
 * left out.
 */
import type { Engine, FullRecord, SearchResult } from '../engine/engine.ts';
import type { LatLng } from '../place/sphere.ts';
import { writeHits, writeRecord } from './hit-json.ts';
import { type ByteText, JsonBytes } from './json-bytes.ts';

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
const out = new JsonBytes();

export function presentResult(result: SearchResult, frame: AnswerFrame, engine: Engine): ByteText {
  out.clear();
  out.bytes(HITS);
  writeHits(out, result.hits, frame.point);
  out.text(frameJson(result, frame, engine));
  return out.take();
}

export function presentFullRecord({ record, label, names, supersededBy }: FullRecord): ByteText {
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
function frameJson({ total, isTotalExact, degraded }: SearchResult, frame: AnswerFrame, engine: Engine): string {
  const { point, message } = frame;
  return (
    `],"nbHits":${total}${isTotalExact ? '' : ',"exhaustiveNbHits":false'}` +
    `,"hitsPerPage":${frame.hitsPerPage},"query":${JSON.stringify(frame.query)},"params":"${frame.params}"` +
    `,"processingTimeMS":${frame.processingTimeMS}` +
    (point === undefined ? '' : `,"aroundLatLng":"${formatLatLng(point)}"`) +
    (message === undefined ? '' : `,"message":${JSON.stringify(message)}`) +
    (degraded === undefined ? '' : `,"degradedQuery":${JSON.stringify(degraded)}`) +
    `,"dataset":${datasetJson(engine)}}`
  );
}

const datasets = new WeakMap<Engine, string>();

function datasetJson(engine: Engine): string {
  let json = datasets.get(engine);
  if (json === undefined) {
    const { version, attribution, places } = engine.dataset;
    json = JSON.stringify({ version, attribution, places });
    datasets.set(engine, json);
  }
  return json;
}
