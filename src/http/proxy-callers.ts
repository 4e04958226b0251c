/**
 * Connections whose caller is the proxy itself: their PROXY header names no client. Their
 * `X-Forwarded-For` does not count, because a client of a TCP proxy may have sent it.
 */
import type { Socket } from 'node:net';

const proxyCallers = new WeakSet<Socket>();

export function markProxyCaller(socket: Socket): void {
  proxyCallers.add(socket);
}

export function isProxyCaller(socket: Socket): boolean {
  return proxyCallers.has(socket);
}
