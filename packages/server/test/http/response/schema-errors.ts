import { Compile } from 'typebox/compile';
import type { Schema } from '../../../src/http/response/response-schemas.ts';

/** How a response differs from its schema. Fields that the schema does not name are errors, at any depth. */
export function schemaErrors(schema: Schema, response: unknown, { needsAllFields = false } = {}): object[] {
  return Compile(strict(schema, needsAllFields) as object).Errors(response);
}

function strict(schema: unknown, needsAllFields: boolean): unknown {
  if (Array.isArray(schema)) return schema.map((item) => strict(item, needsAllFields));
  if (typeof schema !== 'object' || schema === null) return schema;
  const inner = Object.fromEntries(
    Object.entries(schema).map(([name, value]) => [name, strict(value, needsAllFields)]),
  );
  if (!('properties' in schema)) return inner;
  const required = needsAllFields ? { required: Object.keys(schema.properties as object) } : {};
  return { ...inner, ...required, additionalProperties: false };
}
