import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ENDPOINTS } from '../../../src/http/endpoints.ts';
import { ERRORS } from '../../../src/http/errors.ts';
import { OPTIONS } from '../../../src/http/request/options.ts';
import { anApp } from '../an-app.ts';

interface Document {
  readonly openapi: string;
  readonly paths: Record<string, { post?: Operation }>;
  readonly components: { readonly securitySchemes: object };
}

interface Operation {
  readonly parameters: { name: string; in: string; description: string }[];
  readonly requestBody: { content: Record<string, { schema: { properties: object } }> };
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
      assert.deepEqual(Object.keys(schema.properties), options);
    }
  }
});

test('the OpenAPI document names the key header of this service', async (t) => {
  const { components } = await theDocument(t);
  assert.deepEqual(components.securitySchemes, { key: { type: 'apiKey', in: 'header', name: 'X-Acme-Key' } });
});

test('the OpenAPI document lists every error code of an endpoint under its status', async (t) => {
  const document = await theDocument(t);
  const text = JSON.stringify(document);
  const outsideEndpoints = ['request_timeout', 'headers_too_large', 'method_not_allowed'];
  for (const [code, { status }] of Object.entries(ERRORS)) {
    if (outsideEndpoints.includes(code)) continue;
    assert.ok(text.includes(`\`${code}\``), code);
    assert.ok(document.paths['/api/1/id']?.post?.responses[status], `${code} ${status}`);
  }
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
