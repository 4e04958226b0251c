/**
 * Response cache of the endpoint `query`, keyed by the request as sent. A full cache admits only
 * responses to requests seen recently, because most requests are never repeated. To make room, the
 * cache evicts old unused entries and moves used ones to the back.
 */
import { hashText } from 'toponym-engine/collections/hash';
import type { Dataset } from 'toponym-engine/engine';
import type { RequestBody } from '../request/body.ts';
import type { OptionValues } from '../request/read-options.ts';
import type { ByteString } from './json-writer.ts';

/** Maximum bytes of query string plus body. Longer requests are seldom repeated. */
const MAX_REQUEST_LENGTH = 200;
/** A low maximum, so that an entry no longer used is soon evicted. */
const MAX_USES = 7;
/** Maximum entries scanned to make room for one response. */
const MAX_SCANNED = 64;
/** Estimated memory of an entry without its response and key, in bytes. */
const ENTRY_BYTES = 300;
/** A power of two. */
const REMEMBERED_REQUESTS = 32_768;
const TIME_FIELD = '"processingTimeMS":';

/** A response without its processing time, which stands between `head` and `tail`. */
interface CachedResponse {
  readonly head: string;
  readonly tail: string;
  readonly bytes: number;
  /** Lookups that found the entry, minus its moves to the back. */
  uses: number;
}

export interface CacheCounts {
  hits: number;
  misses: number;
}

/** Returns undefined if the request is too long to cache. */
export function createCacheKey(
  queryString: string,
  body: RequestBody | undefined,
  maxRecords: number,
): string | undefined {
  if (queryString.length + (body?.byteString.length ?? 0) > MAX_REQUEST_LENGTH) return undefined;
  return `${maxRecords} ${queryString} ${body === undefined ? '' : body.format + body.byteString}`;
}

export function isCacheable(options: OptionValues): boolean {
  // points are seldom repeated, and the location of an IP address depends on caller and IP data
  return options.aroundLatLng === undefined && options.aroundLatLngViaIP === undefined;
}

export function withProcessingTime({ head, tail }: CachedResponse, processingTimeMS: number): ByteString {
  return (head + processingTimeMS + tail) as ByteString;
}

export class ResponseCache {
  readonly #maxBytes: number;
  readonly #counts: CacheCounts;
  /** Oldest first. */
  readonly #entries = new Map<string, CachedResponse>();
  #bytes = 0;
  #dataset: Dataset | undefined;
  /** Hashes of recent requests. The lowest bits of a hash are its index. */
  readonly #recentHashes = new Int32Array(REMEMBERED_REQUESTS);

  constructor(maxBytes: number, counts: CacheCounts = { hits: 0, misses: 0 }) {
    this.#maxBytes = maxBytes;
    this.#counts = counts;
  }

  /** Finds a response computed from `dataset`. Another dataset than before empties the cache. */
  find(key: string, dataset: Dataset): CachedResponse | undefined {
    if (dataset !== this.#dataset) this.#reset(dataset);
    const found = this.#entries.get(key);
    if (found === undefined) {
      this.#counts.misses++;
    } else {
      this.#counts.hits++;
      if (found.uses < MAX_USES) found.uses++;
    }
    return found;
  }

  /** Adds a response, which must not be in the cache yet, if the cache admits it. */
  add(key: string, dataset: Dataset, response: ByteString): void {
    if (dataset !== this.#dataset) this.#reset(dataset);
    const bytes = response.length + key.length + ENTRY_BYTES;
    const wasSeen = this.#rememberRequest(key);
    const isFull = this.#bytes + bytes > this.#maxBytes;
    if (bytes > this.#maxBytes || (isFull && !wasSeen)) return;
    if (!this.#makeRoom(bytes)) return;
    // the field is near the end
    const timeStart = response.lastIndexOf(TIME_FIELD) + TIME_FIELD.length;
    const timeEnd = response.indexOf(',', timeStart);
    const entry = { head: response.slice(0, timeStart), tail: response.slice(timeEnd), bytes, uses: 0 };
    this.#entries.set(key, entry);
    this.#bytes += bytes;
  }

  /** Returns whether there is enough room. */
  #makeRoom(bytes: number): boolean {
    let scanned = 0;
    for (const [key, entry] of this.#entries) {
      if (this.#bytes + bytes <= this.#maxBytes) return true;
      if (scanned++ === MAX_SCANNED) return false;
      this.#entries.delete(key);
      if (entry.uses === 0) {
        this.#bytes -= entry.bytes;
      } else {
        entry.uses--;
        this.#entries.set(key, entry);
      }
    }
    return true;
  }

  #reset(dataset: Dataset): void {
    this.#dataset = dataset;
    this.#entries.clear();
    this.#bytes = 0;
    this.#recentHashes.fill(0);
  }

  /** Returns whether the request was remembered already. */
  #rememberRequest(key: string): boolean {
    const hash = hashText(key);
    const index = hash & (REMEMBERED_REQUESTS - 1);
    if (this.#recentHashes[index] === hash) return true;
    this.#recentHashes[index] = hash;
    return false;
  }
}
