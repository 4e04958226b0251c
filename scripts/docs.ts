/**
 * Writes the tables of options in docs/api.md between their markers, and the types of the client, from packages/engine/src/options.ts
 * and the schemas of responses: `npm run docs`.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { MAX_QUERY_BYTES } from 'toponym-engine/engine';
import {
  type EndpointName,
  OPTIONS,
  type OptionDefinition,
  type OptionKind,
  type OptionName,
  optionsOf,
} from 'toponym-engine/options';
import { ENDPOINTS } from 'toponym-server/http/endpoints';
import { clientTypes } from './client-types.ts';

export const GENERATED_PAGE = new URL('../docs/api.md', import.meta.url);

const TABLES: Readonly<Record<string, () => string>> = {
  'options of query': () => optionTable('query'),
  'options of id': () => optionTable('id'),
  'options of reverse': () => optionTable('reverse'),
};

/** The text of a page with its tables as they should be. */
export function withTables(page: string): string {
  return page.replaceAll(
    /(<!-- (.+): written by npm run docs -->\n)[\s\S]*?(<!-- end -->)/g,
    (_, begin: string, name: string, end: string) => {
      const table = TABLES[name];
      if (table === undefined) throw new Error(`there is no table "${name}"`);
      return `${begin}\n${table()}\n\n${end}`;
    },
  );
}

/** What the values of each kind look like. */
const VALUES: Readonly<Record<OptionKind, (option: OptionDefinition) => string>> = {
  address: () => 'IP address, `true` or `false`',
  boolean: () => '`true` or `false`, also `1` or `0`',
  box: () => '`lat1,lng1,lat2,lng2`',
  countries: () => 'list with commas',
  id: () => 'identifier',
  integer: () => 'integer of at least 1',
  language: () => 'language tag',
  metres: () => 'integer of at least 1',
  mode: ({ values = [] }) => values.map((value) => `\`${value}\``).join(' or '),
  number: ({ min, max }) => `${min} to ${max}`,
  point: () => '`lat,lng`',
  text: () => `up to ${MAX_QUERY_BYTES} bytes of UTF-8`,
  types: () => 'list with commas',
};

function optionTable(endpoint: EndpointName): string {
  const required = endpoint === 'query' ? undefined : ENDPOINTS.find(({ name }) => name === endpoint)?.mainOption;
  const names = optionsOf(endpoint);
  const isAsForQuery = (name: OptionName) => endpoint !== 'query' && 'query' in OPTIONS[name].fields;
  const shared = names.filter((name) => isAsForQuery(name) && name !== required);
  const rows = names
    .filter((name) => !shared.includes(name))
    .map((name) => {
      const option: OptionDefinition = OPTIONS[name];
      const meaning = isAsForQuery(name) ? 'As for `query`.' : meaningOf(option);
      const value = option.default === undefined ? '' : `\`${option.default}\``;
      return [`\`${name}\``, VALUES[option.kind](option), value, name === required ? `Required. ${meaning}` : meaning];
    });
  if (shared.length > 0) rows.push([shared.map((name) => `\`${name}\``).join(', '), '', '', 'As for `query`.']);
  return tableOf(['option', 'value', 'default', 'meaning'], rows);
}

function meaningOf({ description, details }: OptionDefinition): string {
  // only camelCase names, because `query` and `type` are also ordinary words
  const marked = description.replaceAll(/\b[a-z]+[A-Z]\w+\b/g, (word) => (word in OPTIONS ? `\`${word}\`` : word));
  return details === undefined ? marked : `${marked} ${details}`;
}

function tableOf(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`.replaceAll(/ {2,}/g, ' ');
  return [head, head.map(() => '---'), ...rows].map(line).join('\n');
}

if (import.meta.main) {
  writeFileSync(GENERATED_PAGE, withTables(readFileSync(GENERATED_PAGE, 'utf8')));
  writeFileSync(new URL('../packages/client/src/api-types.ts', import.meta.url), clientTypes());
}
