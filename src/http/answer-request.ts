/** From a request that was let in to its answer: found among those kept, or made. Nothing here waits. */
import { performance } from 'node:perf_hooks';
import { type AnswerScope, type Endpoint, elapsedMs } from './endpoints.ts';
import type { RawBody } from './request/request-body.ts';
import { readOptions } from './request/request-options.ts';
import type { ByteText } from './response/json-bytes.ts';
import { isKeepable, type KeptAnswers, keptKey } from './response/response-cache.ts';

export interface ApiRequest {
  readonly url: string;
  readonly body: RawBody | undefined;
}

export interface RequestScope extends AnswerScope {
  readonly kept: KeptAnswers;
}

export function answerRequest(endpoint: Endpoint, { url, body }: ApiRequest, scope: RequestScope): ByteText {
  const startedMs = performance.now();
  const { kept } = scope;
  const { dataset } = scope.engine;
  const key = endpoint.name === 'query' ? keptKey(url, body, scope.maxRecords) : undefined;
  const known = key === undefined ? undefined : kept.find(dataset, key);
  if (known !== undefined) return kept.withTime(known, elapsedMs(startedMs));
  const options = readOptions(url, body, endpoint.options);
  const answer = endpoint.answer(options, scope);
  if (key !== undefined && isKeepable(options)) kept.keep(dataset, key, answer);
  return answer;
}
