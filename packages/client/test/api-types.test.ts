/** The client's types are those of the OpenAPI document. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { createOpenApi } from 'toponym-server/http/response/openapi';
import { clientTypes } from '../../../scripts/client-types.ts';
import type { GetOptions, QueryOptions, ReverseOptions } from '../src/client.ts';

test('packages/client/src/api-types.ts has the types that npm run docs writes', () => {
  assert.equal(readFileSync(new URL('../src/api-types.ts', import.meta.url), 'utf8'), clientTypes());
});

const { paths } = createOpenApi({ keyHeader: 'X-Service-Key', version: '0.0.0' }) as {
  readonly paths: Readonly<Record<string, { readonly post: { readonly parameters: readonly { name: string }[] } }>>;
};

for (const [endpoint, options] of [
  [
    'query',
    {
      type: ['city', 'town'],
      aroundLatLng: { lat: 1, lng: 2 },
      aroundLatLngViaIP: true,
      insideBoundingBox: [1, 2, 3, 4],
      minConfidence: 0.5,
      countries: 'fr',
    } satisfies QueryOptions,
  ],
  ['id', { language: 'fr' } satisfies GetOptions],
  ['reverse', { type: 'city', mode: 'containing', hitsPerPage: 1, language: 'fr' } satisfies ReverseOptions],
  // @ts-expect-error: the text is an argument of `query`
  ['query', { query: 'paris' } satisfies QueryOptions],
  // @ts-expect-error: not text
  ['query', { minConfidence: '0.5' } satisfies QueryOptions],
  // @ts-expect-error: the point is an argument of `reverse`
  ['reverse', { aroundLatLng: '1,2' } satisfies ReverseOptions],
] as const) {
  test(`the endpoint ${endpoint} has the options ${Object.keys(options)} of the client`, () => {
    const { parameters = [] } = paths[`/api/1/${endpoint}`]?.post ?? {};
    const names = new Set(parameters.map(({ name }) => name));
    assert.deepEqual(new Set(Object.keys(options)).difference(names), new Set());
  });
}
