/** From a request that was let in to its answer: found among those kept, or made. Nothing here waits. */
import { performance } from 'node:perf_hooks';
import { type AnswerScope, type Endpoint, elapsedMs } from './endpoints.ts';
import type { ByteText } from './json-bytes.ts';
import { findKept, isKeepable, keepAnswer, keptKey, withTime } from './kept-answers.ts';
import { type RawBody, readOptions } from './request-options.ts';

export interface ApiRequest {
  readonly url: string;
  readonly body: RawBody | undefined;
}

export function answerRequest(endpoint: Endpoint, { url, body }: ApiRequest, scope: AnswerScope): ByteText {
  const startedMs = performance.now();
  const { engine } = scope;
  const key = endpoint.name === 'query' ? keptKey(url, body, scope.maxRecords) : undefined;
  const kept = key === undefined ? undefined : findKept(engine, key);
  if (kept !== undefined) return withTime(kept, elapsedMs(startedMs));
  const options = readOptions(url, body, endpoint.options);
  const answer = endpoint.answer(options, scope);
  if (key !== undefined && isKeepable(options)) keepAnswer(engine, key, answer);
  return answer;
}
