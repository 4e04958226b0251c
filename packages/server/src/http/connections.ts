/**
 * Limits the open requests (in progress or waiting) of each connection and of the whole thread, and
 * the bytes of responses that wait to be sent: unsent bytes. Without limits, a client that sends
 * requests and never reads responses would fill the memory. While a request waits, nothing more is
 * read from its connection; but what was read at once may have many requests.
 */
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { brokenRequestError, rawErrorResponse, sendAndClose } from './broken-request.ts';
import { RequestError } from './errors.ts';
import { readBodyEarly } from './request/body.ts';
import { RETRY_AFTER } from './response/send.ts';
import { WRITE_TIMEOUT_MS } from './timeouts.ts';
import { NO_WAIT, type Wait, WaitingLine } from './waiting-line.ts';

/** Maximum requests in progress per connection: started, and their responses not yet sent. */
const MAX_IN_PROGRESS = 4;
/** Maximum waiting requests per connection. A client that sends more is disconnected. */
const MAX_WAITING = 60;
/** Maximum open requests per thread. With their bodies, they fit into the heap of 512 MB. */
const MAX_OPEN = 8192;
/** A connection with this many unsent bytes starts no further request. */
const MAX_UNSENT_PER_CONNECTION = 64 * 1024;
/** Maximum unsent bytes of the connections of one address, in this thread. */
const MAX_UNSENT_PER_ADDRESS = 8 * 1024 * 1024;
/** Maximum unsent bytes of this thread. */
const MAX_UNSENT = 32 * 1024 * 1024;
/** Maximum requests started per tick. Ticks must be short: Node accepts one connection per tick. */
const MAX_STARTS_PER_TICK = 32;
const CHECK_INTERVAL_MS = 50;

export type HandleRequest = (request: IncomingMessage, response: ServerResponse, wait: Wait) => void;

interface Connection {
  readonly socket: Socket;
  /** When the connection last made progress, as a value of `#checks`. */
  lastProgress: number;
  readonly inProgress: Set<OpenRequest>;
  readonly waiting: OpenRequest[];
  newestRequest: OpenRequest | undefined;
  isQueued: boolean;
  /** When the connection was last queued. */
  sinceMs: number;
  /** Set if the connection must close: the last thing to send, or '' for nothing. */
  finalResponse: string | undefined;
}

interface OpenRequest {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Whether the connection's `finalResponse` replaces the response to this request. */
  isAbandoned: boolean;
}

export interface ConnectionSettings {
  readonly strictTransportSecurity?: (() => string | undefined) | undefined;
  /** Names the addresses that share a limit. Undefined for a proxy, which has many clients. */
  readonly addressOf?: (socket: Socket) => string | undefined;
}

export class Connections {
  readonly #listener: HandleRequest;
  readonly #settings: ConnectionSettings;
  readonly #bySocket = new WeakMap<Socket, Connection>();
  readonly #expectingContinue = new WeakSet<IncomingMessage>();
  /** Connections with open requests, ordered by latest progress, oldest first. */
  readonly #busy = new Set<Connection>();
  /** Connections that may start a waiting request, in turn. */
  readonly #queue = new WaitingLine<Connection>();
  #openCount = 0;
  #startedThisTick = 0;
  #isScheduled = false;
  /** Number of periodic checks so far. It serves as a clock. */
  #checks = 0;

  constructor(listener: HandleRequest, settings: ConnectionSettings = {}) {
    this.#listener = listener;
    this.#settings = settings;
  }

  attachTo(server: Server): void {
    const accept: RequestListener = (request, response) => this.#accept({ request, response, isAbandoned: false });
    server.on('request', accept);
    // Node emits this instead of `request` if the header Expect is not 100-continue
    server.on('checkExpectation', accept);
    // without this listener, Node may send 100 Continue between the head and the body of a response
    server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
      this.#expectingContinue.add(request);
      server.emit('request', request, response);
    });
    server.on('connect', (_request: IncomingMessage, socket: Socket) => {
      socket.on('error', () => socket.destroy()); // Node has removed its own error listener
      const message = 'CONNECT is not supported here: this service is not a proxy';
      const error = new RequestError('method_not_allowed', message);
      this.#closeWith(this.#connectionOf(socket), this.#errorResponse(error, { allow: 'GET, HEAD, POST, OPTIONS' }));
    });
    // a client may close its side and still read all responses
    Object.assign(server, { httpAllowHalfOpen: true });
    server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => this.#refuseRest(socket, error));
    const timer = setInterval(() => this.#check(), CHECK_INTERVAL_MS).unref();
    server.once('close', () => clearInterval(timer));
  }

  #accept(openRequest: OpenRequest): void {
    const { socket } = openRequest.request;
    const connection = this.#connectionOf(socket);
    if (socket.destroyed || connection.finalResponse !== undefined) return; // the connection is closing
    if (this.#openCount >= MAX_OPEN && !this.#makeRoom()) {
      this.#closeWith(connection, this.#errorResponse(new RequestError('overloaded'), { 'retry-after': RETRY_AFTER }));
      return;
    }
    if (socket.destroyed) return; // to make room
    if (openCountOf(connection) === 0) this.#markProgress(connection);
    connection.newestRequest = openRequest;
    if (this.#canStart(connection, openRequest)) {
      this.#openCount++;
      this.#start(connection, openRequest, NO_WAIT);
    } else {
      this.#wait(connection, openRequest);
    }
  }

  #canStart(connection: Connection, openRequest: OpenRequest): boolean {
    const isFirst = connection.waiting.length === 0;
    return isFirst && this.#hasTurn(connection, openRequest) && this.#startedThisTick < MAX_STARTS_PER_TICK;
  }

  #hasTurn(connection: Connection, { request }: OpenRequest): boolean {
    const { size } = connection.inProgress;
    if (size === 0) return true;
    // a request that expects 100 Continue starts when no earlier response is pending
    if (size >= MAX_IN_PROGRESS || this.#expectingContinue.has(request)) return false;
    return unsentBytesOf(connection) < MAX_UNSENT_PER_CONNECTION;
  }

  /** Drops the connection if too many requests wait already. */
  #wait(connection: Connection, openRequest: OpenRequest): void {
    const { socket, waiting } = connection;
    if (waiting.length >= MAX_WAITING) {
      this.#drop(connection);
      return;
    }
    if (openRequest.request.headers['transfer-encoding'] !== undefined) readBodyEarly(openRequest.request);
    this.#openCount++;
    waiting.push(openRequest);
    socket.pause();
    this.#enqueue(connection);
  }

  #start(connection: Connection, openRequest: OpenRequest, wait: Wait): void {
    const { request, response } = openRequest;
    connection.inProgress.add(openRequest);
    this.#startedThisTick++;
    this.#schedule(); // the next tick resets `#startedThisTick`
    response.on('close', () => this.#onResponseClosed(connection, openRequest));
    // emitted by responses that are sent bit by bit, as long as their client reads them
    response.on('progress', () => {
      if (this.#busy.delete(connection)) this.#markProgress(connection);
    });
    // Node ignores what follows a request with Upgrade, so the connection cannot be reused
    if (request.headers.upgrade !== undefined) response.setHeader('connection', 'close');
    if (this.#expectingContinue.has(request)) response.writeContinue();
    this.#listener(request, response, wait);
  }

  #onResponseClosed(connection: Connection, openRequest: OpenRequest): void {
    // `#forget` and `#abandon` count the requests of closed connections and abandoned ones as ended
    if (!connection.socket.writable || openRequest.isAbandoned) return;
    this.#endRequest(connection, openRequest);
    this.#enqueue(connection);
    this.#sendFinalResponse(connection);
  }

  #endRequest(connection: Connection, openRequest: OpenRequest): void {
    this.#openCount--;
    connection.inProgress.delete(openRequest);
    this.#busy.delete(connection);
    if (openCountOf(connection) > 0) this.#markProgress(connection);
  }

  #enqueue(connection: Connection): void {
    const [next] = connection.waiting;
    if (connection.isQueued || next === undefined || !this.#hasTurn(connection, next)) return;
    connection.isQueued = true;
    connection.sinceMs = performance.now();
    this.#queue.push(connection);
    this.#schedule();
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => this.#startWaiting());
  }

  /** Starts waiting requests, one per connection in turn, up to the limit per tick. */
  #startWaiting(): void {
    this.#isScheduled = false;
    this.#startedThisTick = 0;
    for (const connection of this.#queue.takeOverdue()) this.#startFirst(connection, true);
    while (this.#startedThisTick < MAX_STARTS_PER_TICK) {
      const connection = this.#queue.take();
      if (connection === undefined) return;
      this.#startFirst(connection, false);
    }
  }

  /** Starts the first waiting request of a connection that was taken from the queue. */
  #startFirst(connection: Connection, isOverdue: boolean): void {
    connection.isQueued = false;
    const next = connection.waiting.shift();
    if (next === undefined) return; // its requests were dropped or abandoned meanwhile
    this.#start(connection, next, { waitedMs: performance.now() - connection.sinceMs, isOverdue });
    if (connection.waiting.length === 0) connection.socket.resume();
    this.#enqueue(connection);
  }

  /** Appends the connection to `#busy`, which must not contain it. */
  #markProgress(connection: Connection): void {
    connection.lastProgress = this.#checks;
    this.#busy.add(connection);
  }

  #check(): void {
    this.#checks++;
    this.#dropStalled();
    this.#dropUnread();
  }

  #dropStalled(): void {
    for (const connection of this.#busy) {
      const stalledMs = (this.#checks - connection.lastProgress) * CHECK_INTERVAL_MS;
      if (stalledMs <= WRITE_TIMEOUT_MS) return; // the rest of `#busy` made progress later
      this.#drop(connection);
    }
  }

  /** While too many bytes are unsent, drops connections of the address that has most of them. */
  #dropUnread(): void {
    let unsentBytes = 0;
    for (const connection of this.#busy) unsentBytes += unsentBytesOf(connection);
    if (unsentBytes <= MAX_UNSENT_PER_ADDRESS) return; // the usual case
    const groupOf = (connection: Connection) => this.#settings.addressOf?.(connection.socket) ?? connection;
    const groups = [...Map.groupBy(this.#busy, groupOf).values()].map((connections) => ({
      connections,
      bytes: connections.reduce((bytes, connection) => bytes + unsentBytesOf(connection), 0),
    }));
    for (;;) {
      const largest = groups.reduce((one, other) => (other.bytes > one.bytes ? other : one));
      if (largest.bytes <= MAX_UNSENT_PER_ADDRESS && unsentBytes <= MAX_UNSENT) return;
      const [stalledLongest] = largest.connections.splice(0, 1);
      if (stalledLongest === undefined) return;
      const bytes = unsentBytesOf(stalledLongest);
      largest.bytes -= bytes;
      unsentBytes -= bytes;
      if (bytes > 0) this.#drop(stalledLongest);
    }
  }

  /** Drops the connection with the most open requests. Returns false if all have only one. */
  #makeRoom(): boolean {
    let greediest: Connection | undefined;
    for (const connection of this.#busy) {
      if (greediest === undefined || openCountOf(connection) > openCountOf(greediest)) greediest = connection;
    }
    if (greediest === undefined || openCountOf(greediest) === 1) return false;
    this.#drop(greediest);
    return true;
  }

  #drop(connection: Connection): void {
    this.#forget(connection);
    connection.socket.destroy();
  }

  #forget(connection: Connection): void {
    this.#busy.delete(connection);
    this.#openCount -= openCountOf(connection);
    connection.inProgress.clear();
    connection.waiting.length = 0;
  }

  /** Refuses data that is not HTTP, too large or too slow, and closes the connection. */
  #refuseRest(socket: Socket, error: NodeJS.ErrnoException): void {
    const connection = this.#connectionOf(socket);
    const { newestRequest } = connection;
    const requestError = socket.writable ? brokenRequestError(error) : undefined;
    if (requestError === undefined) {
      socket.destroy();
      return;
    }
    // the refused data belongs to the newest request unless that is complete
    const broken = newestRequest?.request.complete ? undefined : newestRequest;
    const isAnswered = broken?.response.headersSent ?? false;
    if (broken !== undefined && !isAnswered) this.#abandon(connection, broken);
    // a request that is already answered gets no second response
    this.#closeWith(connection, isAnswered ? '' : this.#errorResponse(requestError));
  }

  #errorResponse(error: RequestError, headers: Readonly<Record<string, string>> = {}): string {
    const hsts = this.#settings.strictTransportSecurity?.();
    return rawErrorResponse(error, hsts === undefined ? headers : { ...headers, 'strict-transport-security': hsts });
  }

  /** Stops counting a request that gets no response of its own. */
  #abandon(connection: Connection, openRequest: OpenRequest): void {
    if (openRequest.isAbandoned) return;
    openRequest.isAbandoned = true;
    if (connection.waiting.at(-1) === openRequest) {
      connection.waiting.pop();
      this.#openCount--;
    } else {
      this.#endRequest(connection, openRequest);
    }
  }

  /** Sends `finalResponse` after the responses to all open requests, then closes the connection. */
  #closeWith(connection: Connection, finalResponse: string): void {
    if (connection.finalResponse !== undefined) return;
    connection.finalResponse = finalResponse;
    this.#sendFinalResponse(connection);
  }

  #sendFinalResponse(connection: Connection): void {
    const { socket, finalResponse } = connection;
    if (finalResponse !== undefined && openCountOf(connection) === 0) sendAndClose(socket, finalResponse);
  }

  #connectionOf(socket: Socket): Connection {
    const existing = this.#bySocket.get(socket);
    if (existing !== undefined) return existing;
    const connection: Connection = {
      socket,
      lastProgress: 0,
      inProgress: new Set(),
      waiting: [],
      newestRequest: undefined,
      isQueued: false,
      sinceMs: 0,
      finalResponse: undefined,
    };
    this.#bySocket.set(socket, connection);
    // a TCP socket that was reset has no remote address; admission would take it for a Unix socket
    if (socket.remoteAddress === undefined && socket.localAddress !== undefined) socket.destroy();
    // Node resumes a socket whenever the body of one of its requests is read
    socket.on('resume', () => {
      if (connection.waiting.length > 0) socket.pause();
    });
    socket.once('close', () => this.#forget(connection));
    return connection;
  }
}

function openCountOf({ inProgress, waiting }: Connection): number {
  return inProgress.size + waiting.length;
}

/** Bytes of responses that Node has and the operating system has not taken. */
function unsentBytesOf({ socket, inProgress }: Connection): number {
  let bytes = socket.writableLength;
  for (const { response } of inProgress) {
    // a response gets the socket when the responses before it are sent
    if (response.socket === null) bytes += response.writableLength;
  }
  return bytes;
}
