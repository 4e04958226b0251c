/** Makes packages/client/src/api-types.ts, the types of the client, from the options and the schemas of responses. */

import { type EndpointName, OPTIONS, type OptionDefinition, type OptionKind, optionsOf } from 'toponym-engine/options';
import {
  ErrorSchema,
  FullRecordSchema,
  PlaceRecordSchema,
  ResultSchema,
  type Schema,
} from 'toponym-server/http/response/response-schemas';

/** What the client takes for each kind of option. It writes lists with commas and points as `lat,lng`. */
const OPTION_TYPES: Readonly<Record<OptionKind, string>> = {
  address: 'string | boolean',
  boolean: 'boolean',
  box: 'readonly [number, number, number, number] | string',
  countries: 'readonly string[] | string',
  id: 'string',
  integer: 'number',
  language: 'string',
  metres: 'number',
  mode: "'nearest' | 'containing'",
  number: 'number',
  point: 'LatLng | string',
  text: 'string',
  types: 'PlaceType | readonly PlaceType[]',
};

/** Names of types that are not the titles of their schemas. */
const NAMES: Readonly<Record<string, string>> = { Point: 'LatLng', ErrorCode: 'ApiErrorCode' };

export function clientTypes(): string {
  const errorCode = ErrorSchema.properties?.code ?? {};
  const titled = [PlaceRecordSchema, ResultSchema, FullRecordSchema, errorCode].flatMap(titledIn);
  const declarations = [
    '/** The options and responses of the API. Written by `npm run docs`. */',
    optionsInterface('QueryOptions', 'query', 'query'),
    optionsInterface('GetOptions', 'id', 'objectID'),
    optionsInterface('ReverseOptions', 'reverse', 'aroundLatLng'),
    ...new Set(titled.map((schema) => declarationOf(schema, titled))),
  ];
  return `${declarations.join('\n')}\n`;
}

/** `argument` is the option that is an argument of the client's function. */
function optionsInterface(name: string, endpoint: EndpointName, argument: string): string {
  const options = optionsOf(endpoint).filter((option) => option !== argument);
  const shared = options.filter((option) => endpoint !== 'query' && 'query' in OPTIONS[option].fields);
  const base = shared.length > 0 ? `Pick<QueryOptions, ${unionOf(shared)}>` : undefined;
  const fields = options
    .filter((option) => !shared.includes(option))
    .map((option) => {
      const { kind, description }: OptionDefinition = OPTIONS[option];
      return `${comment(description)}readonly ${option}?: ${OPTION_TYPES[kind]} | undefined;`;
    });
  return interfaceOf(name, base, fields);
}

/** The schema and those inside it, as far as they have a title. */
function titledIn(schema: Schema): Schema[] {
  const { title, properties = {}, items } = schema;
  const inner = [...Object.values(properties), ...(items === undefined ? [] : [items])];
  return [...(title === undefined ? [] : [schema]), ...inner.flatMap(titledIn)];
}

/** A type with all the fields of another one extends it. */
function declarationOf(schema: Schema, others: readonly Schema[]): string {
  const { description, enum: words, properties = {}, required = [] } = schema;
  if (words !== undefined) return `${comment(description)}export type ${typeOf(schema)} = ${unionOf(words)};`;
  const base = others.find(
    (other) =>
      other !== schema &&
      other.properties &&
      Object.entries(other.properties).every(([name, field]) => properties[name] === field),
  );
  const fields = Object.entries(properties)
    .filter(([name]) => base?.properties?.[name] === undefined)
    .map(([name, field]) => {
      const about = field.title === undefined ? comment(field.description) : ''; // a named type has its own
      return `${about}readonly ${name}${required.includes(name) ? '' : '?'}: ${typeOf(field)};`;
    });
  return comment(description) + interfaceOf(typeOf(schema), base && typeOf(base), fields);
}

function typeOf({ title, type = '', anyOf, items, minItems, maxItems, additionalProperties }: Schema): string {
  if (title !== undefined) return NAMES[title] ?? title;
  if (anyOf !== undefined) return anyOf.map(typeOf).join(' | ');
  if (additionalProperties !== undefined) return `Readonly<Record<string, ${typeOf(additionalProperties)}>>`;
  if (items === undefined) return type === 'integer' ? 'number' : type;
  const isTuple = minItems !== undefined && minItems === maxItems;
  return isTuple ? `readonly [${Array(minItems).fill(typeOf(items)).join(', ')}]` : `readonly ${typeOf(items)}[]`;
}

function interfaceOf(name: string, base: string | undefined, fields: readonly string[]): string {
  const head = `export interface ${name}${base === undefined ? '' : ` extends ${base}`}`;
  return fields.length === 0 ? `${head} {}` : `${head} {\n${fields.join('\n').replaceAll(/^/gm, '  ')}\n}`;
}

function unionOf(words: readonly string[]): string {
  return words.map((word) => `'${word}'`).join(' | ');
}

/** The first sentence, with the line break after it. */
function comment(description = ''): string {
  return `/** ${/^.*?\.(?= |$)/s.exec(description)?.[0] ?? description} */\n`;
}
