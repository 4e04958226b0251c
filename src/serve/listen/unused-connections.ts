/**
 * Connections that have not sent a request yet, such as those that browsers open in advance. Node
 * does not count them as idle, so a stopping service would wait for them.
 */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';

export class UnusedConnections {
  readonly #sockets = new Set<Socket>();

  /** With TLS, `connectionEvent` must be `secureConnection`. */
  constructor(server: Server, connectionEvent: 'connection' | 'secureConnection') {
    server.on(connectionEvent, (socket: Socket) => {
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
    });
    server.on('request', ({ socket }) => this.#sockets.delete(socket));
  }

  close(): void {
    for (const socket of this.#sockets) socket.destroy();
  }
}
