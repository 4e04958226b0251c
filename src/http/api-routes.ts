/**
 * The routes of the three endpoints. Admission runs before the body is read, so that a call over the limit costs
 * nothing more, and so that 429 and 401 win over anything wrong with the body. The rest happens at the end of the
 * tick; only errors return to Fastify.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Engine } from '../engine/engine.ts';
import { type AdmissionRules, admit, type Caller } from './admission.ts';
import { answerRequest } from './answer-request.ts';
import { headersFor } from './common-hooks.ts';
import { ENDPOINTS, type Endpoint, type LocateAddress } from './endpoints.ts';
import { RequestError } from './errors.ts';
import { bodyOf, bytesIfWhole, waitForBytes } from './request/request-body.ts';
import type { ByteText } from './response/json-bytes.ts';
import type { KeptAnswers } from './response/response-cache.ts';
import { TickBatch } from './tick-batch.ts';

export const API_PREFIX = '/api/1/';

export interface ApiSettings extends AdmissionRules {
  readonly engine: () => Engine;
  readonly locate: LocateAddress;
  readonly isOverloaded: () => boolean;
  readonly kept: KeptAnswers;
}

export function registerApi(app: FastifyInstance, settings: ApiSettings): void {
  let isDraining = false;
  app.addHook('preClose', (done) => {
    isDraining = true;
    done();
  });
  const batch: ApiBatch = new TickBatch({
    clientOf: (call) => call.request.raw.socket,
    compute: (call) => answerCall(call, settings),
    send: (call, answer) => (answer === undefined ? waitForBody(call, batch) : sendAnswer(call, answer)),
  });
  for (const endpoint of ENDPOINTS) {
    addEndpoint(app, endpoint, { settings, isDraining: () => isDraining, batch });
  }
}

/** An admitted request, waiting for the end of the tick. */
interface Call {
  readonly endpoint: Endpoint;
  readonly request: FastifyRequest;
  readonly caller: Caller;
  readonly reply: FastifyReply;
  /** Of the body; set where it had to be waited for, when the call comes again. */
  bytes?: Buffer;
}

/** The result is undefined while the body is incomplete: the call is added again once it is complete. */
type ApiBatch = TickBatch<Call, ByteText | Error | undefined>;

interface EndpointParts {
  readonly settings: ApiSettings;
  readonly isDraining: () => boolean;
  readonly batch: ApiBatch;
}

function addEndpoint(app: FastifyInstance, endpoint: Endpoint, { settings, isDraining, batch }: EndpointParts): void {
  app.route({
    method: 'POST',
    url: API_PREFIX + endpoint.name,
    config: { endpoint: endpoint.name },
    onRequest(request, reply, next) {
      if (isDraining()) return next(new RequestError('draining'));
      if (settings.isOverloaded()) {
        reply.header('retry-after', '1');
        return next(new RequestError('overloaded'));
      }
      const { headers, outcome } = admit(settings, {
        socket: request.raw.socket,
        headers: request.headers,
      });
      request.answerHeaders = headers;
      if (outcome instanceof RequestError) {
        if (outcome.code === 'key_missing' || outcome.code === 'key_unknown') {
          reply.header('www-authenticate', `ApiKey header="${settings.keyHeader}"`);
        }
        return next(outcome);
      }
      request.keyId = outcome.key.id;
      const call = { endpoint, request, caller: outcome, reply };
      // each chunk of a body is an object; they must not pile up until the tick ends
      if (request.headers['transfer-encoding'] !== undefined) waitForBody(call, batch);
      else batch.add(call);
    },
    handler: neverReached,
  });
}

/**
 * Fastify goes no further than `onRequest`: next it would read the body by itself. So other hooks before a handler do not run for
 * these routes, and `request.body` is not set.
 */
function neverReached(): never {
  throw new Error('calls are answered by the tick batch');
}

function answerCall(call: Call, settings: ApiSettings): ByteText | Error | undefined {
  const { endpoint, request, caller } = call;
  try {
    const bytes = call.bytes ?? bytesIfWhole(request.raw);
    if (bytes === undefined) return undefined;
    const scope = {
      engine: settings.engine(),
      kept: settings.kept,
      maxRecords: caller.key.maxRecords,
      caller: caller.address,
      locate: settings.locate,
    };
    return answerRequest(endpoint, { url: request.raw.url ?? '', body: bodyOf(request.headers, bytes) }, scope);
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error), { cause: error });
  }
}

function waitForBody(call: Call, batch: ApiBatch): void {
  waitForBytes(call.request.raw, (result) => {
    if (result instanceof RequestError) {
      // more of it is to come
      call.reply.header('connection', 'close');
      sendAnswer(call, result);
    } else {
      call.bytes = result;
      batch.add(call);
    }
  });
}

/** A response that cannot be sent must not affect the others of its batch. */
function sendAnswer({ request, reply }: Call, answer: ByteText | Error): void {
  try {
    if (typeof answer === 'string') sendJson(request, reply, answer);
    else reply.send(answer);
  } catch (error) {
    request.log.error({ reqId: request.id, err: error }, 'an answer could not be sent');
    reply.raw.destroy();
  }
}

/**
 * Past Fastify, which would take the bytes for letters to be encoded, and look up every header it is given. What is set on
 * `reply` does not get here: headers belong in `answerHeaders`.
 */
function sendJson(request: FastifyRequest, reply: FastifyReply, body: ByteText): void {
  const headers = headersFor(request);
  headers.push('content-type', 'application/json; charset=utf-8', 'content-length', String(body.length));
  reply.hijack();
  reply.raw.writeHead(200, headers);
  reply.raw.end(body, 'latin1');
}
