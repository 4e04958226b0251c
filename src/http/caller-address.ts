/**
 * The address of a caller: that of the other end of the connection or, if this is a trusted proxy, the one
 * that `X-Forwarded-For` tells.
 */
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { type Address, type Cidr, clientAddress, isInAny, limitGroup, peerAddress } from '../access/address.ts';

const knownCallers = new WeakSet<Socket>();

/**
 * Says that the other end is the caller, even if it has the address of a trusted proxy: a PROXY header
 * told so, and a client behind a TCP proxy writes its own `X-Forwarded-For`.
 */
export function markCallerKnown(socket: Socket): void {
  knownCallers.add(socket);
}

export function isCallerKnown(socket: Socket): boolean {
  return knownCallers.has(socket);
}

export function callerAddress({ socket, headers }: IncomingMessage, trustedProxies: readonly Cidr[]): Address {
  const peer = peerAddress(socket.remoteAddress);
  const forwardedFor = headers['x-forwarded-for'];
  if (isCallerKnown(socket)) return peer;
  // only Node's types allow a list here
  return clientAddress(peer, Array.isArray(forwardedFor) ? forwardedFor.join(',') : forwardedFor, trustedProxies);
}

/** Names the addresses that share a limit of connections. Undefined for a proxy: it has many clients. */
export function connectionGroup(socket: Socket, trustedProxies: readonly Cidr[]): string | undefined {
  if (socket.remoteAddress === undefined) return undefined; // a Unix socket, or a connection that has ended
  const peer = peerAddress(socket.remoteAddress);
  return !isCallerKnown(socket) && isInAny(peer, trustedProxies) ? undefined : limitGroup(peer);
}
