/** Decodes UTF-8. `Buffer`, where there is one, decodes short texts in a third of the time of `TextDecoder`. */
const { Buffer } = globalThis as { readonly Buffer?: BufferClass };
const decoder = new TextDecoder();

interface BufferClass {
  from(bytes: ArrayBuffer, offset: number, length: number): Decodable;
}

interface Decodable {
  toString(encoding: 'utf8', start?: number, end?: number): string;
}

/** Returns the text between two positions of an array. */
export type TextReader = (start: number, end: number) => string;

/** Creates a reader of many texts of one array. */
export function createTextReader(bytes: Uint8Array): TextReader {
  // a copy, because browsers decode no shared memory
  if (Buffer === undefined) return (start, end) => decoder.decode(bytes.slice(start, end));
  const buffer = Buffer.from(bytes.buffer as ArrayBuffer, bytes.byteOffset, bytes.byteLength);
  return (start, end) => buffer.toString('utf8', start, end);
}

export function decodeUtf8(bytes: Uint8Array, start = 0, end = bytes.length): string {
  if (Buffer === undefined) return decoder.decode(bytes.slice(start, end));
  return Buffer.from(bytes.buffer as ArrayBuffer, bytes.byteOffset + start, end - start).toString('utf8');
}

/** Characters that JSON leaves unescaped and a terminal would obey: control characters, and direction of text. */
const UNESCAPED_CONTROLS = /[\u007f-\u009f\u2028\u2029\p{Bidi_Control}]/gu;

/** JSON of a value, safe to print on a terminal. */
export function printableJson(value: unknown): string {
  const json = JSON.stringify(value);
  return json.replace(UNESCAPED_CONTROLS, (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
