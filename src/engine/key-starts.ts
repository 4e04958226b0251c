/** Which beginnings keys have, as far as the filter knows: see index-file/start-filter.ts. */
import { factors, rolled, START_FILTER, startBit } from '../index-file/start-filter.ts';

const { least, step, most } = START_FILTER;

export class KeyStarts {
  private readonly bits: Uint32Array;
  private readonly log2Bits: number;
  private readonly letters = new Uint16Array(factors.length);
  /** hashes[i] is the hash of the text's first i letters. */
  private readonly hashes = new Int32Array(factors.length + 1);
  private length = 0;

  constructor(bits: Uint32Array) {
    this.bits = bits;
    this.log2Bits = Math.log2(bits.length * 32);
  }

  /** The text that `mayGoOn` asks about: up to 63 letters. */
  setText(text: string): void {
    this.length = text.length;
    for (let i = 0; i < text.length; i++) {
      this.letters[i] = text.charCodeAt(i);
      this.hashes[i + 1] = rolled(this.hashes[i]!, text.charCodeAt(i));
    }
  }

  /** Whether some key may begin with `depth` letters of this hash and then go on as the text does from `at`. */
  mayGoOn(hash: number, depth: number, at: number): boolean {
    const whole = depth + this.length - at;
    const known = whole >= most ? most : whole - (whole % step);
    if (known < least || known <= depth) return true;
    const more = known - depth;
    const { hashes } = this;
    const factor = factors[more]!;
    const rest = (hashes[at + more]! - Math.imul(hashes[at]!, factor)) | 0;
    const bit = startBit((Math.imul(hash, factor) + rest) | 0, this.log2Bits);
    return (this.bits[bit >>> 5]! & (1 << (bit & 31))) !== 0;
  }

  /** The same where the letters at `at` and `at + 1` are swapped and the second has been read. */
  mayGoOnSwapped(hash: number, depth: number, at: number): boolean {
    return this.mayGoOn(rolled(hash, this.letters[at]!), depth + 1, at + 2);
  }
}
