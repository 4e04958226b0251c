/** The client's types agree with the OpenAPI document. The compiler compares the responses. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Static } from 'typebox';
import type { FullRecord, GetOptions, Hits, QueryOptions, ReverseOptions } from '../../src/client/client.ts';
import { createOpenApi } from '../../src/http/response/openapi.ts';
import type { FullRecordSchema, ResultSchema } from '../../src/http/response/response-schemas.ts';

/** A type without `readonly` and lengths of arrays, which a schema does not express. */
type Plain<T> = T extends readonly (infer Item)[]
  ? Plain<Item>[]
  : T extends object
    ? { -readonly [Key in keyof T]: Plain<T[Key]> }
    : T;
/** Names the type that differs. */
type Same<A, B> =
  (<T>() => T extends Plain<A> ? 1 : 2) extends <T>() => T extends Plain<B> ? 1 : 2 ? true : [A, 'differs from', B];

const _responses: [Same<Hits, Static<typeof ResultSchema>>, Same<FullRecord, Static<typeof FullRecordSchema>>] = [
  true,
  true,
];

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
