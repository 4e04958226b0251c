/**
 * Answers to searches, kept: whoever types a name begins with the same few letters, and most look for the same few thousand
 * places. An answer is found by the request as it came, so that a request seen before is not even read. While there is room,
 * each is kept; then those that are asked for a second time: most are never, and would only make others go. Kept is all but
 * the time it took. With new data all begins anew.
 */
import { hashText } from '../../collections/hash.ts';
import type { Dataset } from '../../engine/engine.ts';
import type { RequestBody } from '../request/body.ts';
import type { OptionValues } from '../request/options.ts';
import type { ByteText } from './json-bytes.ts';
import { AnswerRow, type KeptAnswer } from './response-ring.ts';

/** Longer requests are rare, and rarely come again. */
const MOST_REQUEST_BYTES = 200;
/** Before the time in an answer, and after it. */
const TIME_FIELD = '"processingTimeMS":';
const FIELD_END = ',';
/** How many of the last requests are remembered as asked once. */
const REMEMBERED = 32_768;

/** What the answer to a request is kept by, for callers who get so many records at most. */
export function keptKey(queryString: string, body: RequestBody | undefined, maxRecords: number): string | undefined {
  if (queryString.length + (body?.bytes.length ?? 0) > MOST_REQUEST_BYTES) return undefined;
  return `${maxRecords} ${queryString} ${body === undefined ? '' : body.format + body.bytes}`;
}

/** Whether nothing but its options decides an answer, and it is likely to be asked for again. */
export function isKeepable(options: OptionValues): boolean {
  return options.aroundLatLng === undefined && options.aroundLatLngViaIP === undefined;
}

/** How often an answer was looked up, by result. */
export interface CacheCounts {
  hits: number;
  misses: number;
}

export class KeptAnswers {
  private readonly row: AnswerRow;
  private dataset: Dataset | undefined;
  /** Hashes of requests, each where its last bits say. */
  private readonly asked = new Int32Array(REMEMBERED);

  private readonly counts: CacheCounts;

  constructor(mostBytes: number, counts: CacheCounts = { hits: 0, misses: 0 }) {
    this.row = new AnswerRow(mostBytes);
    this.counts = counts;
  }

  /** The answer from these data. */
  find(dataset: Dataset, key: string): KeptAnswer | undefined {
    if (dataset !== this.dataset) this.beginAnew(dataset);
    const found = this.row.find(key);
    if (found === undefined) this.counts.misses++;
    else this.counts.hits++;
    return found;
  }

  withTime(answer: KeptAnswer, processingTimeMS: number): ByteText {
    return this.row.read(answer, processingTimeMS);
  }

  /** Keeps an answer if it was asked for before, or there is room. */
  keep(dataset: Dataset, key: string, answer: ByteText): void {
    if (dataset !== this.dataset) this.beginAnew(dataset);
    if (!this.isAskedAgain(key) && !this.row.hasRoomFor(answer.length)) return;
    const timeStart = answer.lastIndexOf(TIME_FIELD) + TIME_FIELD.length;
    const timeEnd = answer.indexOf(FIELD_END, timeStart);
    this.row.add(key, { head: answer.slice(0, timeStart), tail: answer.slice(timeEnd) });
  }

  private beginAnew(dataset: Dataset): void {
    this.dataset = dataset;
    this.row.clear();
    this.asked.fill(0);
  }

  /** Whether a request was made before, and not too long ago. */
  private isAskedAgain(key: string): boolean {
    const hash = hashText(key);
    const slot = hash & (REMEMBERED - 1);
    if (this.asked[slot] === hash) return true;
    this.asked[slot] = hash;
    return false;
  }
}
