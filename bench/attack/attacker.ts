/**
 * Process of hostile clients: `attacker.ts NAME URL KEY TEXTS_FILE SECONDS`. The load is bounded in
 * connections and time, and stays on the loopback address.
 */
import { readFileSync } from 'node:fs';
import { connect as connectTcp, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { ATTACKS, type AttackName } from './attacks.ts';

const [name = '', url = '', key = '', textsFile = '', seconds = '0'] = process.argv.slice(2);
const { hostname: host, port } = new URL(url);
const attack = ATTACKS[name as AttackName];
const texts = JSON.parse(readFileSync(textsFile, 'utf8')) as string[];

for (let i = 0; i < attack.connections; i++) open(i);
setTimeout(() => process.exit(), Number(seconds) * 1000);

/** Opens a connection; each client has its own loopback address. */
function open(i: number): void {
  const target = { host, port: Number(port), localAddress: `127.0.${1 + (i >> 7)}.${1 + (i & 127)}` };
  const socket: Socket =
    attack.kind === 'raw' ? connectTcp(target) : connectTls({ ...target, rejectUnauthorized: false });
  socket.on('error', () => socket.destroy());
  socket.once('close', () => setTimeout(open, 100, i));
  if (attack.kind === 'raw') return void socket.once('connect', () => socket.write(attack.bytes));
  if (attack.kind === 'unread') return void socket.once('secureConnect', () => socket.pause().write(attack.requests));
  let responses = 0;
  const send = () => socket.write(texts.slice(0, attack.perPacket).map(slowCall).join(''));
  socket.once('secureConnect', send);
  socket.on('data', (chunk) => {
    responses += chunk.toString('latin1').split('HTTP/1.1 ').length - 1;
    if (responses < attack.perPacket) return;
    responses = 0;
    send();
  });
}

function slowCall(text: string, i: number): string {
  // every request differs, so that no response comes from the cache
  const body = `hitsPerPage=${1 + (i % 20)}&query=${encodeURIComponent(`${text} ${Math.random().toString(36).slice(2, 6)}`)}`;
  const head = ['POST /api/1/query HTTP/1.1', 'Host: a', `X-Service-Key: ${key}`];
  const type = ['Content-Type: application/x-www-form-urlencoded', `Content-Length: ${body.length}`];
  return [...head, ...type, '', body].join('\r\n');
}
