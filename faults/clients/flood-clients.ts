/**
 * Process of clients that flood the service: `flood-clients.ts PORT LOCAL_ADDRESS CONNECTIONS SECONDS`, with a request
 * on standard input. Each connection sends the request again as soon as it is answered, or over a new connection
 * if the service or a response without a length has ended it. It prints how many requests have ended.
 */
import { readFileSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { RawConnection } from '../http/raw-connection.ts';

const [portText, localAddress = '', connections, seconds] = process.argv.slice(2);
const port = Number(portText);
const request = readFileSync(0);
let ended = 0;
// real attackers have processors of their own
setPriority(constants.priority.PRIORITY_LOW);
const endMs = performance.now() + Number(seconds) * 1000;
await Promise.all(Array.from({ length: Number(connections) }, sendOverAndOver));
console.log(ended);
process.exit(0);

async function sendOverAndOver(): Promise<void> {
  let connection: RawConnection | undefined;
  while (performance.now() < endMs) {
    if (!connection?.isOpen) connection = new RawConnection({ port, localAddress });
    await connection.send(request);
    ended++;
  }
}
