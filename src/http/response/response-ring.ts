/**
 * Answers as bytes, one behind the other in the order they came, in a memory of fixed size that begins anew when its end is
 * reached. When there is no more room, the oldest goes, or, if it was used, to the end of the row with one use less: what is
 * asked for often stays, whatever else passes by. As texts in the heap they would take more, and make it be collected more often.
 */
import type { ByteText } from './json-bytes.ts';

/** More uses than these say nothing more. */
const MOST_USES = 7;
/** To make room for one answer no more than so many others are looked at: where all were used, it has to come again. */
const MOST_PASSED = 64;
/** What the shortest answer takes: so there are never so many that what is known of each outgrows them. */
const LEAST_BYTES = 1024;

export interface KeptAnswer {
  readonly key: string;
  readonly headLength: number;
  /** Of head and tail. */
  readonly length: number;
  /** In the memory, from here on. */
  start: number;
  /** One less each time it is passed to the end of the row. */
  uses: number;
  next: KeptAnswer | undefined;
}

/** An answer but for what stands between its head and its tail, which is another each time. */
export interface AnswerParts {
  readonly head: ByteText;
  readonly tail: ByteText;
}

export class AnswerRow {
  private readonly bytes: Buffer;
  private readonly byKey = new Map<string, KeptAnswer>();
  private oldest: KeptAnswer | undefined;
  private newest: KeptAnswer | undefined;
  /** Where the next one begins. */
  private end = 0;

  constructor(mostBytes: number) {
    this.bytes = Buffer.allocUnsafeSlow(mostBytes);
  }

  clear(): void {
    this.byKey.clear();
    this.oldest = undefined;
    this.newest = undefined;
    this.end = 0;
  }

  /** To be read before anything is added or cleared; a use of it. */
  find(key: string): KeptAnswer | undefined {
    const answer = this.byKey.get(key);
    if (answer !== undefined && answer.uses < MOST_USES) answer.uses++;
    return answer;
  }

  /** With something between head and tail. */
  read({ start, headLength, length }: KeptAnswer, between: number): ByteText {
    const middle = start + headLength;
    const end = start + length;
    return this.bytes.toString('latin1', start, middle) + between + this.bytes.toString('latin1', middle, end);
  }

  /** Whether no other has to go for one of so many bytes. */
  hasRoomFor(length: number): boolean {
    return this.end + sizeOf(length) <= this.gapEnd();
  }

  /** Unless it is there, or there is no room to be had. */
  add(key: string, { head, tail }: AnswerParts): void {
    const length = head.length + tail.length;
    const size = sizeOf(length);
    if (this.byKey.has(key) || size > this.bytes.length || !this.makeRoom(size)) return;
    this.bytes.write(head, this.end, 'latin1');
    this.bytes.write(tail, this.end + head.length, 'latin1');
    const answer: KeptAnswer = {
      key,
      headLength: head.length,
      length,
      start: this.end,
      uses: 0,
      next: undefined,
    };
    this.byKey.set(key, answer);
    this.append(answer);
  }

  /**
   * Where the room behind `end` ends: at the oldest, or, where that lies before `end`, at the end of the memory. None is empty, so an
   * oldest that begins at `end` means that there is no room.
   */
  private gapEnd(): number {
    const { oldest } = this;
    return oldest !== undefined && oldest.start >= this.end ? oldest.start : this.bytes.length;
  }

  /** Behind `end`. False where that took too many, which may have gone all the same. */
  private makeRoom(size: number): boolean {
    for (let passed = 0; this.end + size > this.gapEnd(); ) {
      if (this.gapEnd() === this.bytes.length) {
        this.end = 0;
      } else if (passed++ < MOST_PASSED) {
        this.passOldest();
      } else {
        return false;
      }
    }
    return true;
  }

  /** Lets the oldest go, or, if it was used, to the end of the row. There must be one, and it must lie behind `end`. */
  private passOldest(): void {
    const answer = this.oldest!;
    this.oldest = answer.next;
    if (this.oldest === undefined) this.newest = undefined;
    if (answer.uses === 0) {
      this.byKey.delete(answer.key);
      return;
    }
    answer.uses--;
    this.bytes.copyWithin(this.end, answer.start, answer.start + answer.length);
    answer.start = this.end;
    this.append(answer);
  }

  private append(answer: KeptAnswer): void {
    answer.next = undefined;
    if (this.newest === undefined) this.oldest = answer;
    else this.newest.next = answer;
    this.newest = answer;
    this.end += sizeOf(answer.length);
  }
}

/** What an answer of so many bytes takes. */
function sizeOf(length: number): number {
  return Math.max(LEAST_BYTES, length);
}
