/**
 * Answers to searches, kept: whoever types a name begins with the same few letters, and most look for the same few thousand
 * places. An answer is found by the request as it came, so that a request seen before is not even read. It is kept when it is
 * asked for a second time: most are never, and would only make others go. Kept is all but the time it took. With new data all
 * begins anew.
 */
import type { Dataset } from '../engine/engine.ts';
import type { ByteText } from './json-bytes.ts';
import type { OptionValues } from './options.ts';
import type { RawBody } from './request-options.ts';

/** Besides its text, about what an answer takes. */
const OVERHEAD_BYTES = 300;
/** Longer requests are rare, and rarely come again. */
const MOST_REQUEST_BYTES = 200;
/** Before the time in an answer, and after it. */
const TIME_FIELD = '"processingTimeMS":';
const FIELD_END = ',';
/** How many of the last requests are remembered as asked once. */
const REMEMBERED = 32_768;
/** More uses than these say nothing more. */
const MOST_USES = 7;
/** To make room for one answer no more than so many others are looked at: where all were used, it has to come again. */
const MOST_PASSED = 64;

export interface KeptAnswer {
  readonly head: ByteText;
  readonly tail: ByteText;
  /** Since it was kept, or last passed over. */
  uses: number;
}

/** What the answer to a request is kept by, for callers who get so many records at most. */
export function keptKey(url: string, body: RawBody | undefined, maxRecords: number): string | undefined {
  if (url.length + (body?.bytes.length ?? 0) > MOST_REQUEST_BYTES) return undefined;
  return `${maxRecords} ${url} ${body === undefined ? '' : body.format + body.bytes}`;
}

/** Whether nothing but its options decides an answer, and it is likely to be asked for again. */
export function isKeepable(options: OptionValues): boolean {
  return options.aroundLatLng === undefined && options.aroundLatLngViaIP === undefined;
}

export function withTime({ head, tail }: KeptAnswer, processingTimeMS: number): ByteText {
  return `${head}${processingTimeMS}${tail}`;
}

/**
 * A row of answers in the order they came, each with how often it was used since. When there is no more room, the first one
 * goes, or, if it was used, to the end of the row with one use less: what is asked for often stays, whatever else passes by.
 */
export class KeptAnswers {
  private readonly mostBytes: number;
  private dataset: Dataset | undefined;
  private row = new Map<string, KeptAnswer>();
  /** Stands before the first of the row. Another one would have to pass all the gaps that those who went have left. */
  private first = this.row.entries();
  private bytes = 0;
  /** Hashes of requests, each where its last bits say. */
  private readonly asked = new Int32Array(REMEMBERED);

  constructor(mostBytes: number) {
    this.mostBytes = mostBytes;
  }

  /** The answer from these data. */
  find(dataset: Dataset, key: string): KeptAnswer | undefined {
    if (dataset !== this.dataset) this.beginAnew(dataset);
    const found = this.row.get(key);
    if (found !== undefined && found.uses < MOST_USES) found.uses++;
    return found;
  }

  /** Keeps an answer if it was asked for before. */
  keep(dataset: Dataset, key: string, answer: ByteText): void {
    if (dataset !== this.dataset) this.beginAnew(dataset);
    if (!this.isAskedAgain(key) || this.row.has(key)) return;
    const timeStart = answer.lastIndexOf(TIME_FIELD) + TIME_FIELD.length;
    const timeEnd = answer.indexOf(FIELD_END, timeStart);
    const kept = { head: answer.slice(0, timeStart), tail: answer.slice(timeEnd), uses: 0 };
    const size = sizeOf(key, kept);
    if (size > this.mostBytes) return;
    for (let passed = 0; this.bytes + size > this.mostBytes; passed++) {
      if (passed === MOST_PASSED) return;
      this.passFirst();
    }
    this.row.set(key, kept);
    this.bytes += size;
  }

  private beginAnew(dataset: Dataset): void {
    this.dataset = dataset;
    this.row = new Map();
    this.first = this.row.entries();
    this.bytes = 0;
    this.asked.fill(0);
  }

  /** Whether a request was made before, and not too long ago. */
  private isAskedAgain(key: string): boolean {
    const hash = hashOf(key);
    const slot = hash & (REMEMBERED - 1);
    if (this.asked[slot] === hash) return true;
    this.asked[slot] = hash;
    return false;
  }

  /** Lets the first one go, or, if it was used, to the end of the row. There must be one. */
  private passFirst(): void {
    const [key, answer] = this.first.next().value!;
    this.row.delete(key);
    if (answer.uses === 0) {
      this.bytes -= sizeOf(key, answer);
    } else {
      answer.uses--;
      this.row.set(key, answer);
    }
  }
}

function sizeOf(key: string, { head, tail }: KeptAnswer): number {
  return OVERHEAD_BYTES + key.length + head.length + tail.length;
}

function hashOf(text: string): number {
  let hash = 0x811c_9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x0100_0193);
  return hash ^ (hash >>> 15);
}
