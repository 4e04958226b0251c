/** A text of the index as UTF-8, decoded to a string when it is first read. */
import { FoldedText } from '../text/fold.ts';
import type { TextReader } from '../text/utf8.ts';

const encoder = new TextEncoder();

export class StoredText {
  readonly bytes: Uint8Array;
  readonly start: number;
  readonly end: number;
  private readonly read: TextReader;
  private decoded: string | undefined;

  /** `read` reads texts of `bytes`. */
  constructor(bytes: Uint8Array, read: TextReader, { start, end }: { start: number; end: number }) {
    this.bytes = bytes;
    this.read = read;
    this.start = start;
    this.end = end;
  }

  static of(text: string): StoredText {
    const bytes = encoder.encode(text);
    return new StoredText(bytes, () => text, { start: 0, end: bytes.length });
  }

  get text(): string {
    this.decoded ??= this.read(this.start, this.end);
    return this.decoded;
  }
}

const folded = new FoldedText();
const otherFolded = new FoldedText();

/** Compares two names without regard to case, accents and punctuation. Creates no strings. */
export function isSameWhenFolded(name: StoredText, other: StoredText): boolean {
  folded.foldBytes(name.bytes, name.start, name.end);
  otherFolded.foldBytes(other.bytes, other.start, other.end);
  return folded.equals(otherFolded);
}
