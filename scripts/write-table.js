/** Writes a table of tables/, as packages/gazetteer/src/sources/tables.ts reads it. */
import { writeFileSync } from 'node:fs';
import { TABLES, tableFile } from 'toponym-gazetteer/sources/tables';

/**
 * Sorts rows by the columns that the table is sorted by. Rows that are equal in these keep their order.
 * @param {import('toponym-gazetteer/sources/tables').TableName} name
 * @param {Record<string, string>[]} rows
 */
export function writeTable(name, rows) {
  /** @type {import('toponym-gazetteer/sources/tables').TableShape} */
  const { columns, sortedColumns } = TABLES[name];
  const lines = rows.map((row) => columns.map((column) => row[column] ?? ''));
  lines.sort((a, b) => {
    const i = a.findIndex((cell, c) => c >= sortedColumns || cell !== b[c]);
    return i >= sortedColumns || a[i] === b[i] ? 0 : a[i] < b[i] ? -1 : 1;
  });
  writeFileSync(tableFile(name), [columns, ...lines].map((cells) => `${cells.join('\t')}\n`).join(''));
}

/**
 * The folder of the npm package that a script is given as its argument.
 * @param {string} script
 * @param {string} packageName
 */
export function packageFolder(script, packageName) {
  const [folder] = process.argv.slice(2);
  if (folder !== undefined) return folder;
  console.error(`usage: node scripts/${script} <folder of ${packageName}>`);
  process.exit(2);
}
