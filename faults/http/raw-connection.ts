/** A plain TCP connection of a client that sends bytes as they are and may pipeline requests. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { parseResponse, type RawResponse } from './raw-response.ts';

export interface ConnectionTarget {
  readonly port: number;
  /** Another loopback address has its own range of ports. */
  readonly localAddress?: string;
}

export interface PipelinedRequest {
  readonly bytes: Buffer | string;
  readonly isHead: boolean;
}

interface Pending {
  readonly isHead: boolean;
  readonly settle: (response: RawResponse | undefined) => void;
}

export class RawConnection {
  readonly #socket: Socket;
  readonly #pending: Pending[] = [];
  #unread: Buffer = Buffer.alloc(0);
  #error: Error | undefined;
  #isOpen = true;
  /** Gets responses to bytes that were not sent as a request. */
  #onUnexpected: (response: RawResponse) => void = () => {};

  constructor({ port, localAddress = '127.0.0.1' }: ConnectionTarget) {
    this.#socket = connect({ port, host: '127.0.0.1', localAddress, noDelay: true, allowHalfOpen: true });
    this.#socket.on('data', (chunk) => this.#receive(chunk));
    this.#socket.on('error', (error) => this.#close(error));
    this.#socket.on('end', () => this.#close());
    this.#socket.on('close', () => this.#close());
  }

  /** Whether the connection can take another request. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Why the connection cannot be used: bytes that are no response, or an error of the socket. */
  get error(): Error | undefined {
    return this.#error;
  }

  /** Resolves with the final response; with undefined if the connection closes without one. */
  send(bytes: Buffer | string, isHead = false): Promise<RawResponse | undefined> {
    if (!this.#isOpen) return Promise.resolve(undefined);
    const { promise, resolve } = Promise.withResolvers<RawResponse | undefined>();
    this.#pending.push({ isHead, settle: resolve });
    this.#socket.write(bytes);
    return promise;
  }

  /** Sends requests in one packet. */
  sendAll(requests: readonly string[]): Promise<(RawResponse | undefined)[]> {
    return this.sendTogether(requests.map((bytes) => ({ bytes, isHead: false })));
  }

  /** Sends requests in one packet, of which some may be HEAD. */
  sendTogether(requests: readonly PipelinedRequest[]): Promise<(RawResponse | undefined)[]> {
    this.#socket.cork();
    const responses = requests.map(({ bytes, isHead }) => this.send(bytes, isHead));
    this.#socket.uncork();
    return Promise.all(responses);
  }

  /** Sends bytes and the end of the client's side. Resolves with all responses until the end. */
  async sendLast(bytes: Buffer): Promise<RawResponse[]> {
    const responses: RawResponse[] = [];
    this.#onUnexpected = (response) => responses.push(response);
    this.#socket.end(bytes);
    await once(this.#socket, 'close').catch(() => {}); // a reset ends the connection too
    return responses;
  }

  destroy(): void {
    this.#socket.destroy();
  }

  #receive(chunk: Buffer): void {
    this.#unread = this.#unread.length === 0 ? chunk : Buffer.concat([this.#unread, chunk]);
    try {
      while (this.#unread.length > 0) {
        const [next] = this.#pending;
        const parsed = parseResponse(this.#unread, next?.isHead ?? false);
        if (parsed === undefined) return;
        this.#unread = this.#unread.subarray(parsed.length);
        if (parsed.response.status < 200) continue;
        if (parsed.response.headers.get('connection') === 'close') this.#isOpen = false;
        const settle = this.#pending.shift()?.settle ?? this.#onUnexpected;
        settle(parsed.response);
      }
    } catch (error) {
      this.#close(error as Error);
    }
  }

  #close(error?: Error): void {
    this.#isOpen = false;
    this.#error ??= error;
    for (const { settle } of this.#pending.splice(0)) settle(undefined);
    this.#socket.destroy();
  }
}
