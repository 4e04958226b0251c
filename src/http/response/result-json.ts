/** Formats the engine's results as JSON, with Algolia's field names where Algolia has the field. */
import type { Engine, FullRecord, SearchResult } from '../../engine/engine.ts';
import type { LatLng } from '../../place/sphere.ts';
import type { ByteString } from './byte-string.ts';
import { writeHits, writeOpenRecord } from './hit-json.ts';
import { JsonWriter } from './json-writer.ts';

/** The fields of a response that do not come from the engine. */
interface ResponseFields {
  readonly query: string;
  readonly hitsPerPage: number;
  readonly params: string;
  readonly point: LatLng | undefined;
  /** Why the search ran without the requested point. */
  readonly message?: string | undefined;
  readonly processingTimeMS: number;
}

const HITS = Buffer.from('{"hits":[');
const NB_HITS = Buffer.from('],"nbHits":');
const HITS_PER_PAGE = Buffer.from(',"hitsPerPage":');
const ESTIMATE_AND_HITS_PER_PAGE = Buffer.from(',"exhaustiveNbHits":false,"hitsPerPage":');
const QUERY = Buffer.from(',"query":"');
const PARAMS = Buffer.from('","params":"');
const TIME = Buffer.from('","processingTimeMS":');
/** All responses share the writer, because each is complete before the next begins. */
const out = new JsonWriter();

export function resultJson(result: SearchResult, fields: ResponseFields, engine: Engine): ByteString {
  const { point, message } = fields;
  const { matchedRegion, degraded } = result;
  out.reset();
  out.bytes(HITS);
  writeHits(out, result.hits, point !== undefined);
  out.bytes(NB_HITS);
  out.number(result.total);
  out.bytes(result.isTotalExact ? HITS_PER_PAGE : ESTIMATE_AND_HITS_PER_PAGE);
  out.number(fields.hitsPerPage);
  out.bytes(QUERY);
  out.escaped(fields.query);
  out.bytes(PARAMS);
  out.escaped(fields.params);
  out.bytes(TIME);
  out.number(fields.processingTimeMS);
  if (point !== undefined) out.json(`,"aroundLatLng":"${formatLatLng(point)}"`);
  if (result.pointCountry !== undefined) {
    out.json(`,"pointCountry":${JSON.stringify(result.pointCountry?.toLowerCase() ?? null)}`);
  }
  if (!result.isExhaustive) out.json(',"exhaustive":false');
  if (message !== undefined) out.json(`,"message":${JSON.stringify(message)}`);
  if (matchedRegion !== undefined) out.json(`,"matchedRegion":${JSON.stringify(matchedRegion)}`);
  if (degraded !== undefined) out.json(`,"degradedQuery":${JSON.stringify(degraded)}`);
  out.bytes(datasetAndEnd(engine));
  return out.toByteString();
}

export function fullRecordJson({ record, label, names, supersededBy }: FullRecord): ByteString {
  out.reset();
  writeOpenRecord(out, record, label); // without the closing brace
  const successor = supersededBy === undefined ? '' : `,"supersededBy":${JSON.stringify(supersededBy)}`;
  out.json(`,"names":${JSON.stringify(names)}${successor}}`);
  return out.toByteString();
}

export function formatLatLng({ lat, lng }: LatLng): string {
  return `${lat},${lng}`;
}

const datasetPieces = new WeakMap<Engine, Buffer>();

/** The field `dataset` and the closing brace of the response. */
function datasetAndEnd(engine: Engine): Buffer {
  let cached = datasetPieces.get(engine);
  if (cached === undefined) {
    const { version, attribution, places } = engine.dataset;
    cached = Buffer.from(`,"dataset":${JSON.stringify({ version, attribution, places })}}`);
    datasetPieces.set(engine, cached);
  }
  return cached;
}
