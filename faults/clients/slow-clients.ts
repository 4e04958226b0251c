/**
 * Process of slow clients: `slow-clients.ts URL KIND=COUNT…`, with a key on standard input. It opens
 * COUNT connections of each kind and prints `KIND are open`. When the service has closed all of them,
 * it prints how long that took. Clients that never read do not see the end of their connections, so
 * the process keeps running until it is killed.
 */
import { readFileSync } from 'node:fs';
import { connect as connectTcp, type Socket } from 'node:net';
import { constants, setPriority } from 'node:os';
import { connect as connectTls } from 'node:tls';

const [url = '', ...kinds] = process.argv.slice(2);
const key = readFileSync(0, 'utf8');
const { hostname: host, port } = new URL(url);
const counts = new Map(kinds.map((text) => text.split('=') as [string, string]));
/** Connections that are opened at the same time. */
const OPENED_TOGETHER = 50;
const DRIP_MS = 1000;
/** Linux keeps up to 4 MB of responses that the client has not read. A response has 16 KB. */
const UNREAD_CALLS = 300;
/** Time in which the service answers these calls until it can send no more. */
const FILL_MS = 1000;
const CALL = `POST /api/1/query HTTP/1.1\r\nHost: a\r\nX-Service-Key: ${key}\r\n`;
const START: Record<string, string | Buffer> = {
  headers: `${CALL}X-Drip: `,
  body: `${CALL}Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 1000\r\n\r\nquery=`,
  handshake: Buffer.from([0x16, 3, 1, 2, 0, 1]),
  unread: repeatedCall('query=a&getRankingInfo=true', UNREAD_CALLS),
};

// real attackers have processors of their own
setPriority(constants.priority.PRIORITY_LOW);

/** Milliseconds from the start of each connection to its end, by kind. */
const closedAfterMs: Record<string, number[]> = Object.fromEntries(counts.keys().map((kind) => [kind, []]));
const closed: Promise<void>[] = [];
for (const [kind, countText] of counts) {
  const count = Number(countText);
  for (let i = 0; i < count; i += OPENED_TOGETHER) {
    await Promise.all(Array.from({ length: Math.min(OPENED_TOGETHER, count - i) }, (_, n) => open(kind, i + n)));
  }
  console.log(`${kind} are open`);
}
setInterval(() => {}, DRIP_MS); // connections that are not read do not keep the process running
await Promise.all(closed);
console.log(JSON.stringify(closedAfterMs));

/** Resolves when the connection is open. */
function open(kind: string, i: number): Promise<void> {
  // each client has its own address, because pages have a limit per address
  const target = { host, port: Number(port), localAddress: `127.1.${i >> 7}.${1 + (i & 127)}` };
  const isRaw = kind === 'handshake';
  const socket: Socket = isRaw ? connectTcp(target) : connectTls({ ...target, rejectUnauthorized: false });
  const { promise: isOpen, resolve: setOpen } = Promise.withResolvers<void>();
  const { promise: isClosed, resolve: setClosed } = Promise.withResolvers<void>();
  if (kind !== 'unread') closed.push(isClosed);
  let startedMs = 0;
  let dripTimer: NodeJS.Timeout | undefined;
  socket.on('error', () => socket.destroy());
  socket.once(isRaw ? 'connect' : 'secureConnect', () => {
    startedMs = performance.now();
    socket.write(START[kind] ?? '');
    if (kind === 'unread') socket.pause();
    else socket.resume();
    if (kind === 'headers' || kind === 'body') dripTimer = setInterval(() => socket.write('a'), DRIP_MS);
    if (kind === 'unread') setTimeout(setOpen, FILL_MS);
    else setOpen();
  });
  socket.once('end', () => socket.destroy());
  socket.once('close', () => {
    clearInterval(dripTimer);
    closedAfterMs[kind]?.push(performance.now() - startedMs);
    setOpen();
    setClosed();
  });
  return isOpen;
}

/** Long headers, so that the service does not read more calls at once than may wait. */
function repeatedCall(form: string, count: number): string {
  const headers = `Content-Type: application/x-www-form-urlencoded\r\nContent-Length: ${form.length}\r\n`;
  return `${CALL}${headers}X-Filler: ${'a'.repeat(1000)}\r\n\r\n${form}`.repeat(count);
}
