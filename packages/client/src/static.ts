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

/** How often calls under way are checked, and after how many checks without a sign of life the Worker is given up. */
const CHECK_MS = 10_000;
const MAX_SILENT_CHECKS = 6;

/** One for each index, for all clients of the page. */
const hosts = new Map<string, WorkerHost>();

/** Starts to load the index. If that fails, calls reject with ToponymError, and the next call tries again. */
export function createStaticClient({ index, worker }: StaticOptions): StaticClient {
  const page = globalThis.location?.href;
  const file = new URL(index, page).href;
  const script = new URL(worker ?? 'toponym-static.js', worker === undefined ? file : page).href;
  const name = `${script} ${file}`;
  const host = hosts.get(name) ?? new WorkerHost(script, file, () => hosts.delete(name));
  hosts.set(name, host);
  host.addClients(1);
  host.call('open').catch(() => {}); // later calls say what failed
  let isClosed = false;
  const answer = async (url: unknown, { body, signal }: RequestInit = {}) => {
    if (isClosed) throw new ToponymError('worker_failed', 'this client is closed');
    const called = host.call(`${url}`.replace(/.*\//, ''), `${body}`);
    const aborted = new Promise<never>((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
    const reply = await Promise.race([called, aborted]);
    return new Response(reply.body ?? null, { status: reply.status ?? 500 });
  };
  const client = createClient({ url: '', key: '', fetch: answer, retries: 0, timeoutMs: Number.POSITIVE_INFINITY });
  return {
    ...client,
    // there are no calls to a service to save
    typeahead: (options) => client.typeahead({ ...options, debounceMs: Math.max(0, options.debounceMs || 0) }),
    get isReady() {
      return host.isReady;
    },
    close: () => {
      if (!isClosed) host.addClients(-1);
      isClosed = true;
    },
  };
}

class WorkerHost {
  isReady = false;
  readonly #script: string;
  readonly #index: string;
  readonly #onEnd: () => void;
  readonly #pending = new Map<number, (answer: Reply | ToponymError) => void>();
  #worker: Worker | undefined;
  #clients = 0;
  #calls = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #checks: ReturnType<typeof setInterval> | undefined;
  #silentChecks = 0;

  constructor(script: string, index: string, onEnd: () => void) {
    this.#script = script;
    this.#index = index;
    this.#onEnd = onEnd;
  }

  addClients(count: 1 | -1): void {
    this.#clients += count;
    clearTimeout(this.#timer);
    if (this.#clients > 0) return;
    this.#timer = setTimeout(() => {
      this.#fail('its clients are closed');
      this.#onEnd();
    }, CLOSE_DELAY_MS);
  }

  call(endpoint: string, form = ''): Promise<Reply> {
    return new Promise((resolve, reject) => {
      const id = ++this.#calls;
      this.#pending.set(id, (answer) => (answer instanceof ToponymError ? reject(answer) : resolve(answer)));
      try {
        this.#worker ??= this.#start();
        this.#worker.postMessage({ id, index: this.#index, endpoint, form });
      } catch (error) {
        this.#fail((error as Error).message);
      }
    });
  }

  #start(): Worker {
    const worker = new Worker(scriptUrl(this.#script));
    this.#checks = setInterval(() => this.#check(), CHECK_MS);
    worker.onmessage = ({ data }: MessageEvent<Reply>) => {
      this.#silentChecks = 0;
      if (data.id === 0) return; // a sign of life
      const settle = this.#pending.get(data.id);
      this.#pending.delete(data.id);
      if (data.code !== undefined) return settle?.(new ToponymError(data.code, data.message ?? ''));
      this.isReady = true;
      return settle?.(data);
    };
    worker.onerror = ({ message }) => this.#fail(message || 'it is missing, or the page may not load it');
    return worker;
  }

  /** A browser that is short of memory ends a Worker without an event. It is alive while it loads: it tells so. */
  #check(): void {
    if (this.#pending.size > 0 && ++this.#silentChecks >= MAX_SILENT_CHECKS) this.#fail('it no longer answers');
  }

  /** The script is missing, blocked by the page's policy, or too new for the browser; or the browser has ended the Worker. */
  #fail(reason: string): void {
    const error = new ToponymError('worker_failed', `the script ${this.#script} cannot run: ${reason}`);
    for (const settle of this.#pending.values()) settle(error);
    this.#pending.clear();
    clearInterval(this.#checks);
    this.#silentChecks = 0;
    this.#worker?.terminate();
    this.#worker = undefined; // the next call starts another
    this.isReady = false;
  }
}

/** Workers must be of the page's origin. A script of the page may import one of another. */
function scriptUrl(script: string): string {
  if (new URL(script).origin === location.origin) return script;
  return URL.createObjectURL(new Blob([`importScripts(${JSON.stringify(script)})`], { type: 'text/javascript' }));
}
