/**
 * The few functions of Node.js that the code of the API needs in a Web Worker (toponym-static.js). Keys, hashes and
 * servers are never used there.
 */
const encoder = new TextEncoder();
const decoder = new TextDecoder();

export class Buffer extends Uint8Array {
  /** @param {number} size */
  static alloc(size) {
    return new Buffer(size);
  }

  /** @param {number} size */
  static allocUnsafeSlow(size) {
    return new Buffer(size);
  }

  /** @param {string} text */
  static byteLength(text) {
    return encoder.encode(text).length;
  }

  /**
   * @param {string} text
   * @param {string} [encoding]
   */
  static from(text, encoding) {
    if (encoding !== 'latin1') return new Buffer(encoder.encode(text));
    const buffer = new Buffer(text.length);
    for (let i = 0; i < text.length; i++) buffer[i] = text.charCodeAt(i);
    return buffer;
  }

  /**
   * @param {string} text
   * @param {number} at
   */
  write(text, at) {
    return encoder.encodeInto(text, this.subarray(at)).written;
  }

  /** @param {string} [encoding] */
  toString(encoding, start = 0, end = this.length) {
    if (encoding !== 'latin1') return decoder.decode(this.subarray(start, end));
    let text = '';
    // the arguments of one call must fit on the stack
    for (let i = start; i < end; i += 8192) text += String.fromCharCode(...this.subarray(i, Math.min(i + 8192, end)));
    return text;
  }

  /**
   * @param {Uint8Array} target
   * @param {number} at
   * @param {number} start
   * @param {number} end
   */
  copy(target, at, start, end) {
    target.set(this.subarray(start, end), at);
  }
}

/** @param {string} text */
export function isIP(text) {
  if (/^\d{1,3}(\.\d{1,3}){3}$/.test(text)) return text.split('.').every((part) => Number(part) <= 255) ? 4 : 0;
  return text.includes(':') && URL.canParse(`http://[${text}]`) ? 6 : 0;
}

export const STATUS_CODES = {};
export const createServer = unavailable;
export const request = unavailable;
export const crc32 = unavailable;
export const hash = unavailable;
export const randomBytes = unavailable;
export const randomUUID = unavailable;

function unavailable() {
  throw new Error('not available in a Web Worker');
}
