/**
 * Limits the connections of a server. A new connection beyond the limit closes the one whose last
 * request is the oldest, so idle or stuck connections cannot keep others out.
 */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';

export function limitConnections(server: Server, max: number): void {
  // in the order of their last request; of their start, if they have sent none
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    const [oldest] = sockets;
    if (sockets.size <= max || oldest === undefined) return;
    sockets.delete(oldest); // `close` is emitted later
    oldest.destroy();
  });
  server.on('request', ({ socket }) => {
    if (sockets.delete(socket)) sockets.add(socket);
  });
}
