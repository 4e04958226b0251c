/** docs/api.md and the OpenAPI document name the same operations, options, fields, headers and errors. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { createOpenApi } from '../../src/http/response/openapi.ts';

interface Schema {
  readonly $ref?: string;
  readonly type?: string | string[];
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  readonly enum?: readonly string[];
  readonly description?: string;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
}

interface Operation {
  readonly description: string;
  readonly parameters?: readonly { readonly name: string; readonly schema: Schema }[];
  readonly responses: Readonly<Record<number, Response>>;
}

interface Response {
  readonly content: Readonly<Record<string, { readonly schema: Schema }>>;
}

const api = createOpenApi({ keyHeader: 'X-Service-Key', version: '0.0.0' }) as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly headers: object;
    readonly responses: Readonly<
      Record<string, { readonly content: Record<string, { readonly examples: Readonly<Record<string, object>> }> }>
    >;
  };
};
const { schemas } = api.components;
const page = `\n${readFileSync(new URL('../../docs/api.md', import.meta.url), 'utf8')}`;
/** Pages for people and the document itself are not operations. */
const PAGES = ['GET /openapi.json', 'GET /docs', 'GET /'];

/** Rows of the first table with this header line, as lists of cells. */
function tableAfter(heading: string, header: string): string[][] {
  const section = page.slice(page.indexOf(`\n${heading}\n`));
  const start = section.indexOf(`\n${header}\n`);
  assert.ok(page.includes(`\n${heading}\n`) && start >= 0, `${heading}: ${header}`);
  const [, , , ...lines] = section.slice(start).split('\n');
  const end = lines.findIndex((line) => !line.startsWith('|'));
  return lines.slice(0, end).map((line) =>
    line
      .split(/(?<!\\)\|/)
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

/** What a table says of each name in its first column, which may list several. */
function namedRows(heading: string, header: string): Map<string, string> {
  const rows = tableAfter(heading, header);
  return new Map(rows.flatMap(([names = '', text = '']) => codeIn(names).map((name) => [name, text] as const)));
}

function codeIn(text: string): string[] {
  return [...text.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);
}

function resolved(schema: Schema): Schema {
  return schema.$ref === undefined ? schema : (schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {});
}

test('docs/api.md lists the operations of the OpenAPI document', () => {
  const operations = Object.entries(api.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  const listed = [
    ...namedRows('# API', '| endpoint | finds |').keys(),
    ...namedRows('## Other paths', '| path | response |').keys(),
  ];
  assert.deepEqual(listed.filter((path) => /^(GET|POST) /.test(path)).sort(), [...operations, ...PAGES].sort());
});

const queryRules = namedRows('## query', '| option | rule |');

for (const endpoint of ['query', 'id', 'reverse']) {
  test(`the options of ${endpoint} have the same names and rules in docs/api.md and the OpenAPI document`, () => {
    const { description, parameters = [] } = api.paths[`/api/1/${endpoint}`]?.post ?? { description: '' };
    const rules = namedRows(`## ${endpoint}`, '| option | rule |');
    assert.deepEqual([...rules.keys()].sort(), parameters.map(({ name }) => name).sort());
    for (const { name, schema } of parameters) {
      const own = rules.get(name) ?? '';
      const rule = own.startsWith('As for `query`') || own === 'Required.' ? (queryRules.get(name) ?? own) : own;
      assert.deepEqual(writtenRule(rule), schemaRule(schema), `${name}: ${rule}`);
      assert.equal(description.includes(`Needs \`${name}\``), own.startsWith('Required.'), `${name} is required`);
    }
  });
}

interface Rule {
  readonly default: string | undefined;
  readonly minimum: number | undefined;
  readonly maximum: number | undefined;
  readonly maxLength: number | undefined;
  readonly isInteger: boolean;
  readonly isBoolean: boolean;
  readonly values: readonly string[];
}

/** The rule of an option as docs/api.md words it. */
function writtenRule(text: string): Rule {
  const [, fallback] = /`(\w+)` \(the default\)|[Tt]he default(?: is|,) `?(\w+)/.exec(text)?.filter(Boolean) ?? [];
  const [, from, to] = /\b(\d+) to (\d+):/.exec(text) ?? [];
  const [, least] = /\bof at least (\d+)/.exec(text) ?? [];
  const [, bytes] = /\bup to (\d+) bytes/.exec(text) ?? [];
  const isBoolean = text.startsWith('`true` or `false`');
  const choice = /^((?:`[\w ]+`(?: \(the default\))?(?:, | or )?){2,})[.;]/.exec(text)?.[1] ?? '';
  return {
    default: fallback,
    minimum: numberOf(from ?? least),
    maximum: numberOf(to),
    maxLength: numberOf(bytes),
    isInteger: text.startsWith('Integer'),
    isBoolean,
    values: isBoolean ? [] : codeIn(choice),
  };
}

/** The rule of an option as the OpenAPI document has it. The values of a list are in its pattern. */
function schemaRule(schema: Schema & { readonly pattern?: string }): Rule {
  const listed = /^\^\\s\*\(([\w |]+)\)/.exec(schema.pattern ?? '')?.[1]?.split('|') ?? [];
  return {
    default: schema.default === undefined ? undefined : String(schema.default),
    minimum: schema.minimum,
    maximum: schema.maximum,
    maxLength: schema.maxLength === 64 ? undefined : schema.maxLength, // that of an identifier needs no rule
    isInteger: schema.type === 'integer',
    isBoolean: schema.type === 'boolean',
    values: [...(schema.enum ?? listed)],
  };
}

function numberOf(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Number(text);
}

const responseRows = namedRows('### The response', '| field | meaning |');
const recordRows = namedRows('## The record', '| field | meaning |');
const rankingRows = namedRows('### Ranking information', '| field | meaning |');

for (const [what, rows, schema] of [
  ['a response', responseRows, schemas.Hits],
  ['a record', recordRows, schemas.Hit],
  ['the ranking information', rankingRows, schemas.RankingInfo],
] as const) {
  test(`the fields of ${what} are the same in docs/api.md and the OpenAPI document`, () => {
    const { properties = {} } = schema ?? {};
    assert.deepEqual([...rows.keys()].sort(), Object.keys(properties).sort());
    const ownTables = ['hits', '_rankingInfo'];
    for (const [name, field] of Object.entries(properties)) {
      if (ownTables.includes(name)) continue;
      const words = codeIn(rows.get(name) ?? '').flatMap((code) => code.split('.'));
      for (const inner of innerNames(field)) assert.ok(words.includes(inner), `${name} lacks \`${inner}\``);
    }
  });
}

/** Names of the fields inside a field, at any depth, and its values if it is one of several words. */
function innerNames(field: Schema): string[] {
  const { properties = {}, items, enum: values = [] } = resolved(field);
  const inner = Object.entries(properties).flatMap(([name, schema]) => [name, ...innerNames(schema)]);
  // the six types are those of the option
  return [...inner, ...(items === undefined ? [] : innerNames(items)), ...(values.includes('city') ? [] : values)];
}

test('the text of docs/api.md names no field that the OpenAPI document lacks', () => {
  const known = new Set(['null', 'false', 'true', 'id', 'lat', 'lng', 'reverse', 'query', 'score']);
  for (const { properties = {}, enum: values = [] } of Object.values(schemas)) {
    for (const name of [...Object.keys(properties), ...values]) known.add(name);
  }
  const texts = [...responseRows.values(), ...recordRows.values(), ...rankingRows.values()];
  const words = texts.flatMap(codeIn).flatMap((code) => (/^[\w.]+$/.test(code) ? code.split('.') : []));
  const sources = ['G', 'N', 'W', 'R', 'F', 'US', 'TX', 'york', 'bombey'];
  assert.deepEqual(
    words.filter((word) => !known.has(word) && !sources.includes(word)),
    [],
  );
});

test('the record of id has the fields that docs/api.md names', () => {
  const section = page.slice(page.indexOf('\n## id\n'), page.indexOf('\n## reverse\n'));
  const onlyHits = Object.keys(schemas.Hit?.properties ?? {});
  const own = Object.keys(schemas.FullRecord?.properties ?? {}).filter((name) => !onlyHits.includes(name));
  assert.deepEqual(own, ['names', 'supersededBy']);
  for (const name of own) assert.ok(codeIn(section).includes(name), name);
});

test('the health checks have the fields that docs/api.md names', () => {
  const rows = namedRows('## Other paths', '| path | response |');
  for (const path of ['/healthz', '/readyz']) {
    const content = api.paths[path]?.get?.responses[200]?.content['application/json'];
    const { properties = {} } = content?.schema ?? {};
    const named = codeIn(rows.get(`GET ${path}`) ?? '').filter((code) => /^\w+$/.test(code));
    assert.deepEqual(named, Object.keys(properties), path);
  }
});

test('the errors of docs/api.md have the codes, statuses and fields of the OpenAPI document', () => {
  const listed = tableAfter('## Errors', '| code | status | when |').map(([code = '', status]) => [
    codeIn(code)[0],
    status,
  ]);
  const list = schemas.ErrorCode?.description ?? '';
  const described = [...list.matchAll(/^- `(\w+)` \((\d+)\)/gm)].map(([, code, status]) => [code, status]);
  assert.deepEqual(listed, described);
  assert.deepEqual(
    described.map(([code]) => code),
    schemas.ErrorCode?.enum,
  );

  const withExample = Object.entries(api.components.responses).flatMap(([name, { content }]) =>
    Object.keys(content['application/json']?.examples ?? {}).map((code) => `${code} ${name.replace('Error', '')}`),
  );
  const withoutOperation = ['method_not_allowed 405'];
  assert.deepEqual([...withExample, ...withoutOperation].sort(), listed.map((row) => row.join(' ')).sort());

  const [, example = ''] = /\n## Errors\n+```json\n([\s\S]*?)```/.exec(page) ?? [];
  assert.deepEqual(Object.keys(JSON.parse(example)), Object.keys(schemas.ApiError?.properties ?? {}));
  const [, members = ''] = /the same members plus ([\s\S]*?)\./.exec(page) ?? [];
  assert.deepEqual(
    [...codeIn(members), ...Object.keys(schemas.ApiError?.properties ?? {})],
    Object.keys(schemas.Problem?.properties ?? {}),
  );
});

test('docs/api.md names the headers of the OpenAPI document', () => {
  const limits = namedRows('## Limits', '| header | meaning |');
  const others = ['X-Request-Id', 'WWW-Authenticate'];
  assert.deepEqual([...limits.keys(), ...others].sort(), Object.keys(api.components.headers).sort());
  for (const name of others) assert.ok(page.includes(`\`${name}\``), name);
});
