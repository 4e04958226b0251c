/**
 * Limits how many requests a connection, and all connections of a thread together, may have open at once.
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

/** How often connections without progress are looked for. */
const CHECK_MS = 1000;

interface Connection {
  readonly socket: Socket;
  /** The number of checks there had been when a response was last finished, or the first request came. */
  progressAt: number;
  inProgress: number;
  readonly waiting: OpenRequest[];
  /** The last response, to something that cannot be read as a request. */
  farewell: string | undefined;
}

interface OpenRequest {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

export class Connections {
  readonly #bySocket = new WeakMap<Socket, Connection>();
  /** Connections with open requests; first the one that has gone longest without a finished response. */
  readonly #busy = new Set<Connection>();
  #open = 0;
  #checks = 0;
  readonly #answer: RequestListener;

  constructor(answer: RequestListener) {
    this.#answer = answer;
  }

  /** Answers everything that reaches `server`, what is not a request included. */
  attachTo(server: Server): void {
    const accept: RequestListener = (request, response) => this.#accept({ request, response });
    server.on('request', accept);
    server.on('checkExpectation', accept);
    server.on('connect', (_request: IncomingMessage, socket: Socket) => {
      socket.on('error', () => socket.destroy());
      this.#closeWith(socket, rawErrorResponse(CONNECT_REFUSED, { allow: 'GET, HEAD, POST, OPTIONS' }));
    });
    const checking = setInterval(() => this.#closeStalled(), CHECK_MS).unref();
    server.once('close', () => clearInterval(checking));
    server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
      const known = socket.writable ? brokenRequestError(error) : undefined;
      if (known === undefined) socket.destroy();
      else this.#closeWith(socket, rawErrorResponse(known));
    });
  }

  #accept(opened: OpenRequest): void {
    const { socket } = opened.request;
    const connection = this.#connectionOf(socket);
    if (socket.destroyed || connection.farewell !== undefined) return;
    this.#open++;
    if (connection.inProgress === 0 && connection.waiting.length === 0) this.#markProgress(connection);
    if (connection.inProgress < MAX_IN_PROGRESS && connection.waiting.length === 0) this.#start(connection, opened);
    else if (connection.waiting.push(opened) > MAX_WAITING) socket.destroy();
    else socket.pause();
    if (this.#open > MAX_OPEN) this.#dropMostStalled();
  }

  #start(connection: Connection, { request, response }: OpenRequest): void {
    connection.inProgress++;
    response.on('close', () => this.#finish(connection));
    this.#answer(request, response);
  }

  /** A connection that is closing is settled when it has closed. */
  #finish(connection: Connection): void {
    const { socket, waiting } = connection;
    if (!socket.writable) return;
    this.#open--;
    connection.inProgress--;
    this.#busy.delete(connection);
    if (connection.inProgress + waiting.length > 0) this.#markProgress(connection);
    // in the next tick, so that other connections get their turn
    if (waiting.length > 0) setImmediate(() => this.#startNext(connection));
    this.#sayFarewell(connection);
  }

  #startNext(connection: Connection): void {
    const next = connection.waiting.shift();
    if (next === undefined) return;
    this.#start(connection, next);
    if (connection.waiting.length === 0) connection.socket.resume();
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

  #dropMostStalled(): void {
    const [connection] = this.#busy;
    if (connection !== undefined) this.#drop(connection);
  }

  #drop(connection: Connection): void {
    this.#forget(connection);
    connection.socket.destroy();
  }

  #forget(connection: Connection): void {
    this.#busy.delete(connection);
    this.#open -= connection.inProgress + connection.waiting.length;
    connection.inProgress = 0;
    connection.waiting.length = 0;
  }

  /** Sends `farewell` after the responses that are due before it. */
  #closeWith(socket: Socket, farewell: string): void {
    const connection = this.#connectionOf(socket);
    if (connection.farewell !== undefined) return;
    connection.farewell = farewell;
    this.#sayFarewell(connection);
  }

  #sayFarewell({ socket, farewell, inProgress, waiting }: Connection): void {
    if (farewell !== undefined && inProgress + waiting.length === 0) sendAndClose(socket, farewell);
  }

  #connectionOf(socket: Socket): Connection {
    const known = this.#bySocket.get(socket);
    if (known !== undefined) return known;
    const connection: Connection = { socket, progressAt: 0, inProgress: 0, waiting: [], farewell: undefined };
    this.#bySocket.set(socket, connection);
    // Node resumes a socket whenever somebody reads a request's body
    socket.on('resume', () => {
      if (connection.waiting.length > 0) socket.pause();
    });
    socket.once('close', () => this.#forget(connection));
    return connection;
  }
}

const CONNECT_REFUSED = new RequestError('method_not_allowed', {
  message: 'CONNECT is not possible here: this service is not a proxy',
});
