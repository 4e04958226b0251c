/**
 * A server that reads a request and answers a constant: what HTTPS itself costs, without any search.
 * Started with `node` or `fastify`, the file of the answer, the certificate and its key; prints its port.
 */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import fastify from 'fastify';

const [kind, answerFile = '', certFile = '', keyFile = ''] = process.argv.slice(2);
const answer = readFileSync(answerFile, 'utf8');
const tls = { cert: readFileSync(certFile), key: readFileSync(keyFile) };
const listen = { host: '127.0.0.1', port: 0 };

if (kind === 'fastify') {
  const app = fastify({ https: tls });
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) => {
    done(null, body);
  });
  app.post('/*', (_request, reply) => reply.type('application/json; charset=utf-8').send(answer));
  await app.listen(listen);
  console.log((app.server.address() as AddressInfo).port);
} else {
  const server = createServer(tls, (request, response) => {
    request.resume().on('end', () => {
      response.setHeader('content-type', 'application/json; charset=utf-8');
      response.end(answer);
    });
  });
  server.listen(listen, () => console.log((server.address() as AddressInfo).port));
}
