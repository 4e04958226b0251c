/** A text of the index as UTF-8, decoded to a string when it is first read. */
export class StoredText {
  readonly bytes: Buffer;
  readonly start: number;
  readonly end: number;
  private decoded: string | undefined;

  constructor(bytes: Buffer, start: number, end: number) {
    this.bytes = bytes;
    this.start = start;
    this.end = end;
  }

  static of(text: string): StoredText {
    const bytes = Buffer.from(text);
    return new StoredText(bytes, 0, bytes.length);
  }

  get text(): string {
    this.decoded ??= this.bytes.toString('utf8', this.start, this.end);
    return this.decoded;
  }
}
