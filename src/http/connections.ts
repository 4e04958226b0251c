/**
 * Limits how many requests a connection, and all connections of a thread together, may have open at once, and how many
 * start in one tick of the event loop.
 *
 * HTTP/1.1 clients may send many requests before they read a response. Node parses and hands over every one that has
 * arrived, so without a limit a client that never reads makes the server hold thousands of responses. Here a connection
 * has a few requests in progress; the others wait, and while any wait nothing more is read from the connection.
 * A response has a bounded size, so this also bounds the bytes that wait to be sent.
 */
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { brokenRequestError, rawErrorResponse, sendAndClose } from './broken-request.ts';
import { RequestError } from './errors.ts';
import { WRITE_TIMEOUT_MS } from './timeouts.ts';

/** Requests of one connection being answered, until the whole response has left this process. */
const MAX_IN_PROGRESS = 4;
/** Requests of one connection waiting for those. A client that sends more at once is disconnected. */
const MAX_WAITING = 60;
/** Open requests of a thread, in progress or waiting. At about 30 KB each they fit into its heap of 512 MB. */
const MAX_OPEN = 8192;
/** Connections with a waiting request in chunks. Node makes a Buffer of each chunk: 64 KB of tiny ones take 4 MB. */
const MAX_WAITING_CHUNKED = 64;
/** Requests that start in one tick. More would delay the next connection: Node accepts one per tick. */
const MAX_STARTS_PER_TICK = 32;
/** How often connections without progress are looked for. */
const CHECK_MS = 1000;

interface Connection {
  readonly socket: Socket;
  /** The number of checks there had been when a response was last finished, or the first request came. */
  progressAt: number;
  inProgress: number;
  readonly waiting: OpenRequest[];
  /** The request that came last. */
  last: OpenRequest | undefined;
  isInQueue: boolean;
  /** The last bytes to send, after which the connection is closed. */
  lastResponse: string | undefined;
}

interface OpenRequest {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** The request stayed incomplete and will not be answered. */
  isAbandoned: boolean;
}

export class Connections {
  readonly #answer: RequestListener;
  readonly #bySocket = new WeakMap<Socket, Connection>();
  /** Connections with open requests; first the one that has gone longest without a finished response. */
  readonly #busy = new Set<Connection>();
  readonly #waitingChunked = new Set<Connection>();
  /** Connections that may start a waiting request, in order. */
  readonly #queue: Connection[] = [];
  #open = 0;
  #startedThisTick = 0;
  #isScheduled = false;
  #checks = 0;

  constructor(answer: RequestListener) {
    this.#answer = answer;
  }

  /** Answers everything that reaches `server`, what is not a request included. */
  attachTo(server: Server): void {
    const accept: RequestListener = (request, response) => this.#accept({ request, response, isAbandoned: false });
    server.on('request', accept);
    server.on('checkExpectation', accept);
    server.on('connect', (_request: IncomingMessage, socket: Socket) => {
      socket.on('error', () => socket.destroy());
      const refusal = rawErrorResponse(CONNECT_REFUSED, { allow: 'GET, HEAD, POST, OPTIONS' });
      this.#closeWith(this.#connectionOf(socket), refusal);
    });
    // a client may close its side before it has read all responses; Node has the property, its types do not
    Object.assign(server, { httpAllowHalfOpen: true });
    server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => this.#refuseRest(socket, error));
    const checking = setInterval(() => this.#closeStalled(), CHECK_MS).unref();
    server.once('close', () => clearInterval(checking));
  }

  #accept(opened: OpenRequest): void {
    const { socket } = opened.request;
    const connection = this.#connectionOf(socket);
    if (socket.destroyed || connection.lastResponse !== undefined) return;
    if (openRequests(connection) === 0) this.#markProgress(connection);
    connection.last = opened;
    if (!this.#canStart(connection)) {
      this.#wait(connection, opened);
    } else {
      this.#open++;
      this.#start(connection, opened);
    }
    if (this.#open > MAX_OPEN) this.#dropGreediest();
  }

  #canStart({ inProgress, waiting }: Connection): boolean {
    return inProgress < MAX_IN_PROGRESS && waiting.length === 0 && this.#startedThisTick < MAX_STARTS_PER_TICK;
  }

  #wait(connection: Connection, opened: OpenRequest): void {
    const { socket, waiting } = connection;
    const isChunked = opened.request.headers['transfer-encoding'] !== undefined;
    const isTooMuch = isChunked
      ? openRequests(connection) > 0 || this.#waitingChunked.size >= MAX_WAITING_CHUNKED
      : waiting.length >= MAX_WAITING;
    if (isTooMuch) {
      this.#drop(connection);
      return;
    }
    if (isChunked) this.#waitingChunked.add(connection);
    this.#open++;
    waiting.push(opened);
    socket.pause();
    this.#enqueue(connection);
  }

  #start(connection: Connection, opened: OpenRequest): void {
    const { request, response } = opened;
    connection.inProgress++;
    this.#startedThisTick++;
    this.#schedule();
    response.on('close', () => this.#finish(connection, opened));
    // Node forgets what it has read behind such a request
    if (request.headers.upgrade !== undefined) response.setHeader('connection', 'close');
    this.#answer(request, response);
  }

  /** A connection that is closing is settled when it has closed. */
  #finish(connection: Connection, opened: OpenRequest): void {
    if (!connection.socket.writable || opened.isAbandoned) return;
    this.#settle(connection);
    this.#enqueue(connection);
    this.#sendLastResponse(connection);
  }

  /** Takes one request in progress off the books. */
  #settle(connection: Connection): void {
    this.#open--;
    connection.inProgress--;
    this.#busy.delete(connection);
    if (openRequests(connection) > 0) this.#markProgress(connection);
  }

  #enqueue(connection: Connection): void {
    if (connection.isInQueue || connection.waiting.length === 0 || connection.inProgress >= MAX_IN_PROGRESS) return;
    connection.isInQueue = true;
    this.#queue.push(connection);
    this.#schedule();
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => this.#startWaiting());
  }

  /** Starts waiting requests, one of each connection in turn, as many as one tick may. */
  #startWaiting(): void {
    this.#isScheduled = false;
    this.#startedThisTick = 0;
    while (this.#startedThisTick < MAX_STARTS_PER_TICK) {
      const connection = this.#queue.shift();
      if (connection === undefined) return;
      connection.isInQueue = false;
      this.#waitingChunked.delete(connection);
      const next = connection.waiting.shift();
      if (next === undefined) continue;
      this.#start(connection, next);
      if (connection.waiting.length === 0) connection.socket.resume();
      this.#enqueue(connection);
    }
  }

  /** Moves the connection to the end of the busy ones. */
  #markProgress(connection: Connection): void {
    connection.progressAt = this.#checks;
    this.#busy.add(connection);
  }

  /** A client must take a response within the write timeout. One timer for all costs less than one per request. */
  #closeStalled(): void {
    this.#checks++;
    for (const connection of this.#busy) {
      if ((this.#checks - connection.progressAt) * CHECK_MS <= WRITE_TIMEOUT_MS) return;
      this.#drop(connection);
    }
  }

  /** The connection with the most open requests; of several, the one that has gone longest without a response. */
  #dropGreediest(): void {
    let greediest: Connection | undefined;
    for (const connection of this.#busy) {
      if (greediest === undefined || openRequests(connection) > openRequests(greediest)) greediest = connection;
    }
    if (greediest !== undefined) this.#drop(greediest);
  }

  #drop(connection: Connection): void {
    this.#forget(connection);
    connection.socket.destroy();
  }

  #forget(connection: Connection): void {
    this.#busy.delete(connection);
    this.#waitingChunked.delete(connection);
    this.#open -= openRequests(connection);
    connection.inProgress = 0;
    connection.waiting.length = 0;
  }

  /** What follows on the connection cannot be read, or came too slowly. */
  #refuseRest(socket: Socket, error: NodeJS.ErrnoException): void {
    const connection = this.#connectionOf(socket);
    const known = socket.writable ? brokenRequestError(error) : undefined;
    if (known === undefined) return void socket.destroy();
    const isAnswered = this.#abandonIncomplete(connection) === 'answered';
    this.#closeWith(connection, isAnswered ? '' : rawErrorResponse(known));
  }

  /** Gives up the last request if its body is incomplete: nobody waits for the rest. Says whether it has a response. */
  #abandonIncomplete(connection: Connection): 'answered' | 'unanswered' {
    const { last, waiting } = connection;
    if (last === undefined || last.request.complete) return 'unanswered';
    if (last.response.headersSent) return 'answered';
    if (waiting.at(-1) === last) {
      waiting.pop();
      this.#open--;
    } else if (!last.isAbandoned) {
      last.isAbandoned = true;
      this.#settle(connection);
    }
    return 'unanswered';
  }

  /** Sends `lastResponse` after the responses that are due before it, then closes the connection. */
  #closeWith(connection: Connection, lastResponse: string): void {
    if (connection.lastResponse !== undefined) return;
    connection.lastResponse = lastResponse;
    this.#sendLastResponse(connection);
  }

  #sendLastResponse(connection: Connection): void {
    const { socket, lastResponse } = connection;
    if (lastResponse !== undefined && openRequests(connection) === 0) sendAndClose(socket, lastResponse);
  }

  #connectionOf(socket: Socket): Connection {
    const known = this.#bySocket.get(socket);
    if (known !== undefined) return known;
    const connection: Connection = {
      socket,
      progressAt: 0,
      inProgress: 0,
      waiting: [],
      last: undefined,
      isInQueue: false,
      lastResponse: undefined,
    };
    this.#bySocket.set(socket, connection);
    // no address, and no Unix socket: the client has gone, and must not be counted under another address
    if (socket.remoteAddress === undefined && socket.localAddress !== undefined) socket.destroy();
    // Node resumes a socket whenever somebody reads a request's body
    socket.on('resume', () => {
      if (connection.waiting.length > 0) socket.pause();
    });
    socket.once('close', () => this.#forget(connection));
    return connection;
  }
}

function openRequests({ inProgress, waiting }: Connection): number {
  return inProgress + waiting.length;
}

const CONNECT_REFUSED = new RequestError('method_not_allowed', {
  message: 'CONNECT is not supported here: this service is not a proxy',
});
