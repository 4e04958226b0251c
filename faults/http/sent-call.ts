/** A call over HTTPS that tells whether its request was sent if no response comes. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { type Agent, request } from 'node:https';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { RunningService } from '../../test/support/running-service.ts';

export type CallResult =
  | { readonly status: number }
  /** Without a response. A request is sent once the TLS handshake is complete. */
  | { readonly status: undefined; readonly isSent: boolean; readonly reason: string };

export async function sentCall(service: RunningService, key: string, agent?: Agent): Promise<CallResult> {
  let isSent = false;
  const sent = request(new URL('/api/1/query', service.ready.url), {
    method: 'POST',
    ca: readFileSync(join(service.state, 'tls', 'cert.pem')),
    agent: agent ?? false,
    headers: { 'x-service-key': key, 'content-type': 'application/x-www-form-urlencoded' },
  });
  sent.once('socket', (socket) => {
    if (sent.reusedSocket) isSent = true;
    else socket.once('secureConnect', () => (isSent = true));
  });
  try {
    sent.end('query=par');
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    await text(response);
    return { status: response.statusCode ?? 0 };
  } catch (error) {
    return { status: undefined, isSent, reason: (error as Error).message };
  }
}
