/**
 * Server that returns a constant response: the cost of HTTPS alone, without a search. Its arguments
 * are `node` or `fastify`, the file of the response, the certificate and its key; it prints its
 * port.
 */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import fastify from 'fastify';

const [kind, responseFile = '', certFile = '', keyFile = ''] = process.argv.slice(2);
const body = readFileSync(responseFile, 'utf8');
const tls = { cert: readFileSync(certFile), key: readFileSync(keyFile) };
const listen = { host: '127.0.0.1', port: 0 };

if (kind === 'fastify') {
  const app = fastify({ https: tls });
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, received, done) => {
    done(null, received);
  });
  app.post('/*', (_request, reply) => reply.type('application/json; charset=utf-8').send(body));
  await app.listen(listen);
  console.log((app.server.address() as AddressInfo).port);
} else {
  const server = createServer(tls, (request, response) => {
    request.resume().on('end', () => {
      response.setHeader('content-type', 'application/json; charset=utf-8');
      response.end(body);
    });
  });
  server.listen(listen, () => console.log((server.address() as AddressInfo).port));
}
