/**
 * Answers to searches, kept: whoever types a name begins with the same few letters, and most look for the same few thousand
 * places. An answer is found by the request as it came, so that a request seen before is not even read. It is kept when it is
 * asked for a second time: most are never, and would only make others go. Kept is all but the time it took. New data is a new
 * engine, and begins anew.
 */
import type { Engine } from '../engine/engine.ts';
import type { ByteText } from './json-bytes.ts';
import type { OptionValues } from './options.ts';
import type { RawBody } from './request-options.ts';

/** What one generation may hold, in each thread; there are two. */
const GENERATION_BYTES = 16 * 1024 * 1024;
/** Besides its text, about what an answer takes. */
const OVERHEAD_BYTES = 300;
/** Longer requests are rare, and rarely come again. */
const MOST_REQUEST_BYTES = 200;
/** Before the time in an answer, and after it. */
const TIME_FIELD = '"processingTimeMS":';
const FIELD_END = ',';
/** How many of the last requests are remembered as asked once. */
const REMEMBERED = 16_384;

export interface KeptAnswer {
  readonly head: ByteText;
  readonly tail: ByteText;
}

const keptByEngine = new WeakMap<Engine, Generations>();

/** What the answer to a request is kept by, for callers who get so many records at most. */
export function keptKey(url: string, body: RawBody | undefined, maxRecords: number): string | undefined {
  const bytes = body?.bytes.length ?? 0;
  if (url.length + bytes > MOST_REQUEST_BYTES) return undefined;
  return `${maxRecords} ${url} ${body === undefined ? '' : body.format + body.bytes.toString('latin1')}`;
}

/** Whether nothing but its options decides an answer, and it is likely to be asked for again. */
export function isKeepable(options: OptionValues): boolean {
  return options.aroundLatLng === undefined && options.aroundLatLngViaIP === undefined;
}

export function findKept(engine: Engine, key: string): KeptAnswer | undefined {
  return keptByEngine.get(engine)?.find(key);
}

export function withTime({ head, tail }: KeptAnswer, processingTimeMS: number): ByteText {
  return `${head}${processingTimeMS}${tail}`;
}

/** Keeps an answer if it was asked for before. */
export function keepAnswer(engine: Engine, key: string, answer: ByteText): void {
  let kept = keptByEngine.get(engine);
  if (kept === undefined) {
    kept = new Generations();
    keptByEngine.set(engine, kept);
  }
  if (!kept.isAskedAgain(key)) return;
  const timeStart = answer.lastIndexOf(TIME_FIELD) + TIME_FIELD.length;
  const timeEnd = answer.indexOf(FIELD_END, timeStart);
  kept.keep(key, { head: answer.slice(0, timeStart), tail: answer.slice(timeEnd) });
}

/**
 * Two generations: what is asked for again moves to the young one; when that is full it becomes the old one, and what was
 * left in the old one goes.
 */
class Generations {
  private young = new Map<string, KeptAnswer>();
  private old = new Map<string, KeptAnswer>();
  private youngBytes = 0;
  /** Hashes of requests, each where its last bits say. */
  private readonly asked = new Int32Array(REMEMBERED);

  /** Whether a request was made before, and not too long ago. */
  isAskedAgain(key: string): boolean {
    const hash = hashOf(key);
    const slot = hash & (REMEMBERED - 1);
    if (this.asked[slot] === hash) return true;
    this.asked[slot] = hash;
    return false;
  }

  find(key: string): KeptAnswer | undefined {
    const found = this.young.get(key);
    if (found !== undefined) return found;
    const older = this.old.get(key);
    if (older !== undefined) this.keep(key, older);
    return older;
  }

  keep(key: string, answer: KeptAnswer): void {
    this.young.set(key, answer);
    this.youngBytes += OVERHEAD_BYTES + key.length + answer.head.length + answer.tail.length;
    if (this.youngBytes < GENERATION_BYTES) return;
    this.old = this.young;
    this.young = new Map();
    this.youngBytes = 0;
  }
}

function hashOf(text: string): number {
  let hash = 0x811c_9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x0100_0193);
  return hash ^ (hash >>> 15);
}
