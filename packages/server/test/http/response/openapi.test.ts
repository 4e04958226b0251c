import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OPTIONS } from 'toponym-engine/options';
import { ENDPOINTS } from '../../../src/http/endpoints.ts';
import { ERRORS } from '../../../src/http/error-codes.ts';
import { anApp } from '../an-app.ts';

interface Document {
  readonly openapi: string;
  readonly paths: Record<string, { post?: Operation }>;
  readonly components: {
    readonly securitySchemes: { key: object };
    readonly schemas: Record<string, Schema>;
    readonly headers: Record<string, { description?: string; example?: unknown }>;
    readonly responses: Record<string, { content: Record<string, { examples: Record<string, ErrorExample> }> }>;
  };
}

interface Schema {
  readonly $ref?: string;
  readonly title?: string;
  readonly description?: string;
  readonly examples?: unknown[];
  readonly properties?: Record<string, Schema>;
}

interface ErrorExample {
  readonly value: { readonly message: string; readonly status: number; readonly code: string };
}

interface Operation {
  readonly parameters: { name: string; in: string; description: string }[];
  readonly requestBody: { content: Record<string, { schema: { $ref: string } }> };
  readonly responses: Record<string, object>;
}

async function theDocument(t: Parameters<typeof anApp>[0]): Promise<Document> {
  return (await anApp(t, { serviceName: 'Acme' }).request('/openapi.json')).json();
}

test('the OpenAPI document describes each endpoint with exactly the options it takes, in URL, form and JSON', async (t) => {
  const document = await theDocument(t);
  assert.match(document.openapi, /^3\.1\./);
  for (const { name, options } of ENDPOINTS) {
    const operation = document.paths[`/api/1/${name}`]?.post;
    assert.ok(operation);
    assert.deepEqual(
      operation.parameters.map((parameter) => [parameter.name, parameter.in, parameter.description]),
      options.map((option) => [option, 'query', OPTIONS[option].description]),
    );
    assert.deepEqual(Object.keys(operation.requestBody.content), [
      'application/json',
      'application/x-www-form-urlencoded',
    ]);
    for (const { schema } of Object.values(operation.requestBody.content)) {
      const { properties = {} } = document.components.schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {};
      assert.deepEqual(Object.keys(properties), options);
    }
  }
});

test('the OpenAPI document names the key header of this service', async (t) => {
  const { components } = await theDocument(t);
  assert.partialDeepStrictEqual(components.securitySchemes.key, { type: 'apiKey', in: 'header', name: 'X-Acme-Key' });
  assert.equal(components.headers['WWW-Authenticate']?.example, 'ApiKey header="X-Acme-Key"');
});

test('the OpenAPI document has an example of every error code of an endpoint, under its status', async (t) => {
  const { components, paths } = await theDocument(t);
  for (const [code, { status }] of Object.entries(ERRORS)) {
    if (code === 'method_not_allowed' || code === 'host_not_allowed') continue; // not of an operation
    assert.ok(paths['/api/1/id']?.post?.responses[status], `${code} ${status}`);
    for (const [type, { examples }] of Object.entries(components.responses[`Error${status}`]?.content ?? {})) {
      assert.partialDeepStrictEqual(examples[code]?.value, { code, status }, type);
    }
  }
});

test('the examples of errors have the messages that the service sends', async (t) => {
  const { components } = await theDocument(t);
  const { post, createKey, request } = anApp(t, { notReadyReason: () => 'the service is shutting down' });
  const json = { headers: { 'content-type': 'application/json' } };
  const refused = async (headers: Record<string, string>, calls: number) => {
    for (let i = 1; i < calls; i++) await post('query', '', { headers });
    return post('query', '', { headers });
  };
  const responses = [
    await post('query', 'aroundLatLng=91,0'),
    await post('id', ''),
    await post('id', 'page=2'),
    await post('query', 'query=a&query=b'),
    await post('query', '[]', json),
    await refused({ 'x-service-key': createKey({ perMinute: 'unlimited', perDay: 5 }) }, 6),
    await post('id', 'objectID=G1'),
    await post('query', '', { headers: { 'x-service-key': 'unknown' } }),
    await post('query', 'a', { headers: { 'content-type': 'text/plain' } }),
    await post('query', 'a'.repeat(20_000)),
    await request('/readyz'),
    await refused({}, 61),
  ];
  const withoutNumbers = (message = '') => message.replaceAll(/\d+/g, '…');
  const codes = responses.map((response) => {
    const { code, status, message } = response.json();
    const { value } = components.responses[`Error${status}`]?.content['application/json']?.examples[code] ?? {};
    assert.equal(withoutNumbers(value?.message), withoutNumbers(message));
    return code;
  });
  assert.equal(new Set(codes).size, 12);
});

test('every option, field and header of the OpenAPI document is described, and every option and header has an example', async (t) => {
  const { components } = await theDocument(t);
  const undescribed: string[] = [];
  const visit = (path: string, schema: Schema) => {
    if (schema.$ref === undefined && !schema.description) undescribed.push(path);
    for (const [name, field] of Object.entries(schema.properties ?? {})) visit(`${path}.${name}`, field);
    const isOption = path.includes('Options.');
    if (isOption && schema.examples === undefined) undescribed.push(`${path}: no example`);
  };
  for (const [name, schema] of Object.entries(components.schemas)) visit(name, schema);
  for (const [name, { description, example }] of Object.entries(components.headers)) {
    if (!description || example === undefined) undescribed.push(name);
  }
  assert.deepEqual(undescribed, []);
});

test('generated clients get a named type for the options and for each part of a response', async (t) => {
  const { components } = await theDocument(t);
  assert.deepEqual(Object.keys(components.schemas).sort(), [
    ...['ApiError', 'Dataset', 'DegradedQuery', 'ErrorCode', 'FindPlacesAtOptions', 'FullRecord', 'GetPlaceOptions'],
    ...['HighlightResult', 'HighlightedName', 'Hit', 'Hits', 'MatchCode', 'MatchLevel', 'MatchedGeoLocation'],
    ...['MatchedName', 'MatchedRegion', 'PlaceType', 'Point', 'Problem', 'RankingInfo', 'SearchPlacesOptions'],
    'WordChange',
  ]);
});

test('every reference in the OpenAPI document resolves', async (t) => {
  const document = await theDocument(t);
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)];
  assert.ok(references.length > 20);
  for (const [, path = ''] of references) {
    const target = path.split('/').reduce<unknown>((node, name) => (node as Record<string, unknown>)?.[name], document);
    assert.ok(target, path);
  }
});

test('the examples of the OpenAPI document are valid', async (t) => {
  const { post } = anApp(t);
  const requiredOptions = { query: [], id: ['objectID'], reverse: ['aroundLatLng'] } as const;
  for (const { name, options } of ENDPOINTS) {
    for (const option of options) {
      const names = new Set([
        ...requiredOptions[name],
        option,
        ...(option === 'aroundRadius' ? (['aroundLatLng'] as const) : []),
      ]);
      const form = new URLSearchParams([...names].map((key): [string, string] => [key, String(OPTIONS[key].example)]));
      assert.equal((await post(name, form.toString())).statusCode, 200, `${name} ${form}`);
    }
  }
});
