/**
 * Handles calls: requests that need an API key. A call is admitted, its body is read, and a queue answers it.
 * Admission comes first, so that a refused call costs little.
 */
import { type AdmissionRules, admit, type Caller, type GivenKey } from './admission.ts';
import { CallQueue } from './call-queue.ts';
import { RequestError } from './errors.ts';
import type { Exchange } from './exchange.ts';
import { JSON_TYPE } from './headers.ts';
import { readBody } from './request/body.ts';
import type { ByteString } from './response/json-writer.ts';
import { type HttpResponse, sendError, sendResponse } from './response/send.ts';

export interface Call {
  readonly exchange: Exchange;
  readonly caller: Caller;
  readonly bodyBytes: Buffer;
}

/** Returns a response, or only its body if that is JSON. A thrown error is sent as the response. */
export type Respond = (call: Call) => ByteString | HttpResponse;

export type HandleCall = (exchange: Exchange, respond: Respond, key?: GivenKey) => void;

export interface CallSettings extends AdmissionRules {
  readonly isDraining: () => boolean;
  readonly queue: AnswerQueue;
}

interface QueuedCall extends Call {
  readonly respond: Respond;
  /** Replaces how the response is sent. Must not throw. */
  readonly send?: (response: ComputedResponse) => void;
  /** Start of the call's wait, as if it had waited in one line. Reading the body does not count. */
  readonly sinceMs: number;
}

/** What `respond` has returned, or the error to send. */
export type ComputedResponse = ReturnType<Respond> | Error;

export type AnswerQueue = CallQueue<QueuedCall, ComputedResponse>;

export function createAnswerQueue(): AnswerQueue {
  return new CallQueue({
    connectionOf: ({ exchange }) => exchange.request.socket,
    compute: computeResponse,
    giveUp: () => new RequestError('overloaded'),
    send: ({ exchange, send }, response) => (send === undefined ? sendComputed(exchange, response) : send(response)),
  });
}

/** Throws RequestError if the service cannot take the call. */
export function checkCapacity({ isDraining }: CallSettings, { wait }: Exchange): void {
  if (isDraining()) throw new RequestError('draining');
  if (wait.isOverdue) throw new RequestError('overloaded');
}

export function createCallHandler(settings: CallSettings): HandleCall {
  const { queue } = settings;
  return (exchange, respond, key) => {
    checkCapacity(settings, exchange);
    admit(settings, exchange, { key }, (callerOrError) => {
      if (callerOrError instanceof Error) return sendError(exchange, callerOrError);
      readBody(exchange.request, (bytesOrError) => {
        if (bytesOrError instanceof RequestError) return sendError(exchange, bytesOrError);
        const sinceMs = performance.now() - exchange.wait.waitedMs;
        queue.add({ exchange, caller: callerOrError, bodyBytes: bytesOrError, respond, sinceMs });
      });
    });
  };
}

/** Must not throw, so it returns errors. */
function computeResponse(call: QueuedCall): ComputedResponse {
  try {
    return call.respond(call);
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error), { cause: error });
  }
}

/** Must not throw: the queue goes on to the next call. */
function sendComputed(exchange: Exchange, response: ComputedResponse): void {
  try {
    if (response instanceof Error) sendError(exchange, response);
    else sendResponse(exchange, toHttpResponse(response));
  } catch (error) {
    sendError(exchange, error);
  }
}

export function toHttpResponse(response: ReturnType<Respond>): HttpResponse {
  return typeof response === 'string' ? { status: 200, contentType: JSON_TYPE, body: response } : response;
}
