/**
 * The export `toponym/client/static`: a client that searches an index file in a Web Worker, without a service. The
 * engine is in the Worker's script, toponym-static.js, which `toponym build --static` writes beside the index.
 */
import { ToponymError, type ToponymErrorCode } from './call.ts';
import { type Client, createClient } from './client.ts';

export interface StaticOptions {
  /** Address of the index file, relative to the page. */
  readonly index: string;
  /** Address of `toponym-static.js`, relative to the page; by default beside the index. */
  readonly worker?: string | undefined;
}

export interface StaticClient extends Client {
  /** Whether the index is loaded. Calls before that wait for it. */
  readonly isReady: boolean;
  /** Ends the Worker, unless another client of the page uses it. */
  close(): void;
}

interface Reply {
  readonly id: number;
  readonly status?: number;
  readonly body?: string;
  readonly code?: ToponymErrorCode;
  readonly message?: string;
}

/** A Worker without clients stays for a moment, because elements are often removed and put back. */
const CLOSE_DELAY_MS = 5000;

/** One for each index, for all clients of the page. */
const hosts = new Map<string, WorkerHost>();

/** Starts to load the index. If that fails, calls reject with ToponymError, and the next call tries again. */
export function createStaticClient(options: StaticOptions): StaticClient {
  const index = new URL(options.index, globalThis.location?.href).href;
  const script = new URL(options.worker ?? 'toponym-static.js', options.worker ? globalThis.location?.href : index)
    .href;
  const name = `${script} ${index}`;
  const host = hosts.get(name) ?? new WorkerHost(script, index, () => hosts.delete(name));
  hosts.set(name, host);
  host.use(1);
  let isClosed = false;
  const answer = async (url: unknown, { body, signal }: RequestInit = {}) => {
    if (isClosed) throw new ToponymError('worker_failed', 'this client is closed');
    const reply = await aborting(host.answer(`${url}`.replace(/.*\//, ''), `${body}`), signal);
    return new Response(reply.body ?? null, { status: reply.status ?? 500 });
  };
  const client = createClient({ url: '', key: '', fetch: answer, retries: 0, timeoutMs: Number.POSITIVE_INFINITY });
  host.open().catch(() => {}); // the calls say what failed
  return {
    ...client,
    // no network to spare
    typeahead: (given) => client.typeahead({ ...given, debounceMs: Math.max(0, given.debounceMs || 0) }),
    get isReady() {
      return host.isReady;
    },
    close: () => {
      if (!isClosed) host.use(-1);
      isClosed = true;
    },
  };
}

/** Rejects with the reason of the signal once it is aborted. */
function aborting<T>(promise: Promise<T>, signal: AbortSignal | null | undefined): Promise<T> {
  return new Promise((resolve, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason));
    promise.then(resolve, reject);
  });
}

class WorkerHost {
  isReady = false;
  readonly #script: string;
  readonly #index: string;
  readonly #onClose: () => void;
  readonly #pending = new Map<number, { resolve(reply: Reply): void; reject(error: ToponymError): void }>();
  #worker: Worker | undefined;
  #opening: Promise<Reply> | undefined;
  #clients = 0;
  #calls = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(script: string, index: string, onClose: () => void) {
    this.#script = script;
    this.#index = index;
    this.#onClose = onClose;
  }

  use(clients: 1 | -1): void {
    this.#clients += clients;
    clearTimeout(this.#timer);
    if (this.#clients === 0) this.#timer = setTimeout(() => this.#close(), CLOSE_DELAY_MS);
  }

  async answer(endpoint: string, form: string): Promise<Reply> {
    await this.open();
    return await this.#call(endpoint, form);
  }

  open(): Promise<Reply> {
    this.#opening ??= this.#call('open', this.#index).then(
      (reply) => {
        this.isReady = true;
        return reply;
      },
      (error) => {
        this.#opening = undefined;
        throw error;
      },
    );
    return this.#opening;
  }

  #call(endpoint: string, form: string): Promise<Reply> {
    return new Promise((resolve, reject) => {
      const id = ++this.#calls;
      this.#pending.set(id, { resolve, reject });
      try {
        this.#worker ??= this.#start();
        this.#worker.postMessage({ id, endpoint, form });
      } catch (error) {
        this.#fail((error as Error).message);
      }
    });
  }

  #start(): Worker {
    const worker = new Worker(scriptUrl(this.#script));
    worker.onmessage = ({ data }: MessageEvent<Reply>) => {
      const call = this.#pending.get(data.id);
      this.#pending.delete(data.id);
      if (data.code === undefined) call?.resolve(data);
      else call?.reject(new ToponymError(data.code, data.message ?? ''));
    };
    // the script is missing, blocked by the page's policy, or too new for the browser
    worker.onerror = ({ message }) => this.#fail(message || 'it is missing, or the page may not load it');
    return worker;
  }

  #fail(reason: string): void {
    const error = new ToponymError('worker_failed', `the script ${this.#script} cannot run: ${reason}`);
    for (const { reject } of this.#pending.values()) reject(error);
    this.#pending.clear();
    this.#end();
  }

  #end(): void {
    this.#worker?.terminate();
    this.#worker = undefined;
    this.#opening = undefined;
    this.isReady = false;
  }

  #close(): void {
    this.#end();
    this.#onClose();
  }
}

/** Workers must be of the page's origin. A script of the page may import one of another. */
function scriptUrl(script: string): string {
  if (new URL(script).origin === location.origin) return script;
  return URL.createObjectURL(new Blob([`importScripts(${JSON.stringify(script)})`], { type: 'text/javascript' }));
}
