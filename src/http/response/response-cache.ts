/**
 * Response cache of the endpoint `query`, keyed by the raw request, so that the options of a
 * repeated request are not even parsed. A cached response lacks only its processing time. New data
 * resets the cache.
 *
 * The cache admits every response while there is room. Once it is full, it admits only responses to
 * requests seen recently, because most requests are never repeated. To make room, it evicts the
 * oldest entries. An entry that was used moves to the back instead, with one use fewer.
 */
import { hashText } from '../../collections/hash.ts';
import type { Dataset } from '../../engine/engine.ts';
import type { RequestBody } from '../request/body.ts';
import type { OptionValues } from '../request/options.ts';
import type { ByteString } from './byte-string.ts';

/** Maximum bytes of query string plus body. Longer requests are rare and seldom repeated. */
const MAX_REQUEST_LENGTH = 200;
/** Further uses of an entry are not counted. */
const MAX_USES = 7;
/** Maximum entries scanned to make room before admission is refused. */
const MAX_SCANNED = 64;
/** Estimated memory of an entry without its response and key, in bytes. */
const ENTRY_BYTES = 300;
/** Recent requests remembered, as hashes. A power of two. */
const REMEMBERED_REQUESTS = 32_768;
const TIME_FIELD = '"processingTimeMS":';

/** A response without its processing time, which belongs between `head` and `tail`. */
export interface CachedResponse {
  readonly head: string;
  readonly tail: string;
  /** Estimated memory of the entry. */
  readonly bytes: number;
  /** Uses, minus the times that the entry moved to the back instead of being evicted. */
  uses: number;
}

/** Numbers of lookups that found a response and that did not. */
export interface CacheCounts {
  hits: number;
  misses: number;
}

/** Returns undefined if the request is too long to be cached. */
export function createCacheKey(
  queryString: string,
  body: RequestBody | undefined,
  maxRecords: number,
): string | undefined {
  if (queryString.length + (body?.latin1.length ?? 0) > MAX_REQUEST_LENGTH) return undefined;
  return `${maxRecords} ${queryString} ${body === undefined ? '' : body.format + body.latin1}`;
}

/**
 * Whether to cache the response to a request with these options. The same point is seldom searched
 * around twice, and an IP address stands for a point that depends on more than the options.
 */
export function isCacheable(options: OptionValues): boolean {
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
  /** Hashes of recent requests; the lowest bits of a hash are its index. */
  readonly #recentHashes = new Int32Array(REMEMBERED_REQUESTS);

  constructor(maxBytes: number, counts: CacheCounts = { hits: 0, misses: 0 }) {
    this.#maxBytes = maxBytes;
    this.#counts = counts;
  }

  /** Returns only responses computed from `dataset`. */
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

  /** Call after `find` found nothing. Does not add the response if the cache does not admit it. */
  add(key: string, dataset: Dataset, response: ByteString): void {
    if (dataset !== this.#dataset) this.#reset(dataset);
    const bytes = response.length + key.length + ENTRY_BYTES;
    const wasSeen = this.#wasSeenRecently(key);
    const isFull = this.#bytes + bytes > this.#maxBytes;
    if (bytes > this.#maxBytes || (isFull && !wasSeen)) return;
    if (!this.#makeRoom(bytes)) return;
    // the hits come first, so a search from the end finds the field sooner
    const timeStart = response.lastIndexOf(TIME_FIELD) + TIME_FIELD.length;
    const timeEnd = response.indexOf(',', timeStart);
    const entry = { head: response.slice(0, timeStart), tail: response.slice(timeEnd), bytes, uses: 0 };
    this.#entries.set(key, entry);
    this.#bytes += bytes;
  }

  /** Returns false if it scanned MAX_SCANNED entries without making enough room. */
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

  /** Whether the request is among the recent ones. Also remembers it. */
  #wasSeenRecently(key: string): boolean {
    const hash = hashText(key);
    const index = hash & (REMEMBERED_REQUESTS - 1);
    if (this.#recentHashes[index] === hash) return true;
    this.#recentHashes[index] = hash;
    return false;
  }
}
