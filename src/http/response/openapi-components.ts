/** Moves schemas that have a title into the components of the OpenAPI document. */

type ComponentKind = 'schemas' | 'responses' | 'headers';

export function reference(kind: ComponentKind, name: string): object {
  return { $ref: `#/components/${kind}/${name}` };
}

/** The titled schemas among these and inside them, by title. References replace the inner ones. */
export function titledSchemas(schemas: readonly object[]): Record<string, object> {
  const byTitle: Record<string, object> = {};
  for (const schema of schemas) lift(schema, byTitle);
  return byTitle;
}

function lift(schema: unknown, byTitle: Record<string, object>): unknown {
  if (Array.isArray(schema)) return schema.map((item) => lift(item, byTitle));
  if (typeof schema !== 'object' || schema === null) return schema;
  const copy = Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, lift(value, byTitle)]));
  const { title, ...untitled } = copy;
  // a property may have this name too
  if (typeof title !== 'string') return copy;
  byTitle[title] = untitled;
  return reference('schemas', title);
}
