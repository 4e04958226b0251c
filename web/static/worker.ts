/**
 * The Web Worker of `toponym/client/static`, which build.js bundles as toponym-static.js: it answers the calls of
 * the API from an index file. The file is kept in the browser's cache: a stored one answers at once, also
 * offline, and is replaced if the host has another.
 */
import type { Address } from 'toponym-access/address';
import type { Engine } from 'toponym-engine/engine';
import { IndexFormatError } from 'toponym-engine/index-file/open-index';
import { openEngine } from 'toponym-engine/open-engine';
import { ENDPOINTS } from 'toponym-server/http/endpoints';
import { errorResponse, RequestError } from 'toponym-server/http/errors';
import { readOptions } from 'toponym-server/http/request/read-options';
import { type ByteString, textFromByteString } from 'toponym-server/http/response/json-writer';
import { ByteReader, type Chunk } from './byte-reader.ts';
import { readIndex } from './read-index.ts';

/** A call from the page. `open` only loads the index. */
interface Call {
  readonly id: number;
  readonly endpoint: 'open' | 'query' | 'id' | 'reverse';
  /** Address of the index, the same in all calls. */
  readonly index: string;
  /** Body of the request. */
  readonly form: string;
}

/** The parts of a Worker's global scope that Node.js' types lack. */
interface WorkerScope {
  onmessage: (event: { readonly data: Call }) => void;
  postMessage(message: object): void;
  readonly caches?: { open(name: string): Promise<IndexCache> };
  readonly location: { readonly origin: string };
  readonly navigator: { readonly onLine: boolean };
}

interface IndexCache {
  match(url: string): Promise<Response | undefined>;
  put(url: string, response: Response): Promise<void>;
}

class LoadError extends Error {
  readonly code: 'index_unreachable' | 'index_missing' | 'index_invalid';

  constructor(code: LoadError['code'], message: string, cause?: unknown) {
    super(message, { cause });
    this.code = code;
  }
}

const CACHE_NAME = 'toponym-static';
/** Searched before the index is ready, because the first search of each kind takes long: its code is not compiled yet. */
const WARM_UP_QUERIES = ['san', 'san fransisco'];
/** Unknown, so searches by the caller's address run without a point. */
const CALLER: Address = { family: 4, bytes: [0, 0, 0, 0] };

/** The page gives the Worker up if it tells nothing for a minute. */
const SIGN_OF_LIFE_MS = 5000;

const scope = globalThis as unknown as WorkerScope;
let engine: Engine | undefined;
let loading: Promise<void> | undefined;

scope.onmessage = async ({ data: { id, index, endpoint, form } }) => {
  try {
    loading ??= load(index);
    await loading;
    scope.postMessage({ id, ...(endpoint === 'open' ? {} : respond(engine!, endpoint, form)) });
  } catch (error) {
    if (engine === undefined) loading = undefined; // the next call tries again
    const { message } = error as Error;
    scope.postMessage({ id, code: error instanceof LoadError ? error.code : 'internal', message });
  }
};

setInterval(() => scope.postMessage({ id: 0 }), SIGN_OF_LIFE_MS);

function respond(engine: Engine, name: Exclude<Call['endpoint'], 'open'>, form: string) {
  const endpoint = ENDPOINTS.find((each) => each.name === name);
  if (endpoint === undefined) throw new Error(`there is no endpoint ${name}`);
  try {
    const options = readOptions('', { format: 'form', byteString: form as ByteString }, endpoint.options);
    const context = { engine, maxRecords: Number.POSITIVE_INFINITY, callerAddress: CALLER, locate: () => undefined };
    return { status: 200, body: textFromByteString(endpoint.respond(options, context)) };
  } catch (error) {
    if (error instanceof RequestError) return errorResponse(error, 'static');
    throw error;
  }
}

async function load(url: string): Promise<void> {
  // pages without https have no cache, and some browsers refuse it in private windows
  const cache = await scope.caches?.open(CACHE_NAME).catch(() => undefined);
  const stored = await cache?.match(url);
  const isUsed = stored !== undefined && (await use(stored, url).then(yes, no));
  const updating = update(url, cache, isUsed ? stored.headers : undefined);
  if (isUsed)
    updating.catch(no); // the stored file stays in use
  else await updating;
}

const yes = () => true;
const no = () => false;

/** Gets the file unless it is the stored one. Only a usable file is stored. */
async function update(url: string, cache: IndexCache | undefined, stored?: Headers): Promise<void> {
  // another origin would have to allow these headers. The browser's own cache revalidates its file without them
  const headers = stored !== undefined && new URL(url).origin === scope.location.origin ? conditions(stored) : [];
  const download = new AbortController();
  const response = await fetch(url, { cache: 'no-cache', headers, signal: download.signal }).catch((cause: unknown) => {
    const reason = scope.navigator.onLine
      ? 'cannot be reached; if it is on another host, that host must allow this page (CORS)'
      : 'is not stored in this browser, which is offline';
    throw new LoadError('index_unreachable', `the index ${url} ${reason}`, cause);
  });
  const etag = response.headers.get('etag');
  if (stored !== undefined && (response.status === 304 || (etag !== null && etag === stored.get('etag')))) {
    await response.body?.cancel();
    return;
  }
  if (!response.ok) {
    const reason = `the host answered with status ${response.status}`;
    throw new LoadError('index_missing', `the index ${url} cannot be loaded: ${reason}`);
  }
  const copy = response.clone();
  try {
    await use(response, url);
  } catch (error) {
    download.abort(); // the rest of a file that cannot be used
    throw error;
  }
  void cache?.put(url, copy).catch(no); // without room for it, the next visit downloads it again
}

/** Headers that ask for the file only if it has changed. */
function conditions(stored: Headers): [string, string][] {
  const [etag, date] = [stored.get('etag'), stored.get('last-modified')];
  if (etag !== null) return [['If-None-Match', etag]];
  return date === null ? [] : [['If-Modified-Since', date]];
}

/** Searches the index from now on. Throws LoadError. */
async function use(response: Response, url: string): Promise<void> {
  try {
    const opened = openEngine(await readIndex(new ByteReader(await unzippedChunks(response))));
    for (const text of WARM_UP_QUERIES) respond(opened, 'query', `query=${encodeURIComponent(text)}`);
    engine = opened;
  } catch (cause) {
    const reason = cause instanceof IndexFormatError ? cause.message : 'it is damaged, or was not loaded to its end';
    throw new LoadError('index_invalid', `the index ${url} cannot be used: ${reason}`, cause);
  }
}

/** Decompresses while the file arrives. Static hosts do not compress files of unknown types, so the file itself is. */
async function unzippedChunks({ body }: Response): Promise<AsyncIterable<Chunk>> {
  const chunks = chunksOf(body as ReadableStream<Chunk>);
  const first = await chunks.next();
  const file = (async function* () {
    if (!first.done) yield first.value;
    yield* chunks;
  })();
  if (first.value?.[0] !== 0x1f) return file; // not compressed: an index starts with a letter
  const gzip = new DecompressionStream('gzip');
  void write(file, gzip.writable.getWriter());
  return chunksOf(gzip.readable);
}

async function write(chunks: AsyncIterable<Chunk>, writer: WritableStreamDefaultWriter<Chunk>): Promise<void> {
  try {
    for await (const chunk of chunks) await writer.write(chunk);
    await writer.close();
  } catch (error) {
    await writer.abort(error).catch(no); // the reader gets the error
  }
}

/** Safari cannot iterate over a stream. */
async function* chunksOf(stream: ReadableStream<Chunk>): AsyncGenerator<Chunk, undefined> {
  const reader = stream.getReader();
  for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
}
