import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ENDPOINT_EXAMPLES } from '../../../src/http/response/openapi-examples.ts';
import { runService } from '../../support/running-service.ts';

test('the examples of the OpenAPI document are responses of the service with the embedded data', async (context) => {
  const service = await runService(context);
  for (const [endpoint, { request, response }] of Object.entries(ENDPOINT_EXAMPLES)) {
    const form = Object.fromEntries(Object.entries(request).map(([name, value]) => [name, String(value)]));
    const served = (await service.call(`/api/1/${endpoint}`, { form })).json();
    const withoutTime = (record: object) => ({ ...record, processingTimeMS: 0 });
    assert.deepEqual(withoutTime(served), withoutTime(response), endpoint);
  }
});
