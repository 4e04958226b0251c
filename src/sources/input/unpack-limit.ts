/** Protects against decompression bombs: small files that unpack to huge ones. */

/** GeoNames dumps compress 4:1 to 8:1, NDJSON up to 20:1, one repeated byte 1,032:1. */
const MAX_RATIO = 200;
/** Up to this size, any ratio is harmless. */
const MIN_SUSPECT_BYTES = 16 * 2 ** 20;
/** The largest real file, allCountries.txt, has 1.7 GB. */
const MAX_UNPACKED_BYTES = 64 * 2 ** 30;

/** Throws if the chunks exceed a limit. Callers add the file to the message. */
export async function* limitUnpackedSize(chunks: AsyncIterable<Buffer>, packedBytes: number): AsyncGenerator<Buffer> {
  let unpackedBytes = 0;
  for await (const chunk of chunks) {
    unpackedBytes += chunk.length;
    if (unpackedBytes > MIN_SUSPECT_BYTES && unpackedBytes > packedBytes * MAX_RATIO) {
      throw new Error(`unpacks to over ${MAX_RATIO} times its ${packedBytes} bytes, which no real data does`);
    }
    if (unpackedBytes > MAX_UNPACKED_BYTES) throw new Error(`unpacks to over ${MAX_UNPACKED_BYTES} bytes`);
    yield chunk;
  }
}
