/**
 * Connections that have not sent a request yet. Browsers open some ahead of need. Node does not call them idle, so a
 * service that stops would wait for them.
 */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';

export class UnusedConnections {
  readonly #sockets = new Set<Socket>();

  /** `opened` is the event that brings the sockets on which requests come. */
  constructor(server: Server, opened: 'connection' | 'secureConnection') {
    server.on(opened, (socket: Socket) => {
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
    });
    server.on('request', ({ socket }) => this.#sockets.delete(socket));
  }

  close(): void {
    for (const socket of this.#sockets) socket.destroy();
  }
}
