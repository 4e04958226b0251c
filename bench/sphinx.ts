/**
 * Runs Sphinx in a temporary folder on a Unix socket and leaves the rest of the machine alone. Its
 * indexer reads the rows once; its searchd accepts SphinxQL over the MySQL protocol.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createConnection } from 'mysql2/promise';
import { Unavailable } from './peer.ts';
import { findProgram } from './program.ts';

export interface SphinxIndex {
  readonly name: string;
  readonly fields: readonly string[];
  readonly attributes: readonly { readonly name: string; readonly type: 'uint' | 'float' }[];
  /** Configuration lines of the index. */
  readonly settings: readonly string[];
  /** Rows of key, fields and attributes, without tabs and line breaks. */
  readonly rows: Iterable<readonly (string | number)[]>;
}

export interface Sphinx {
  readonly version: string;
  /** Returns the rows per statement; all statements are sent in one message. */
  query(statements: readonly string[]): Promise<number[][][]>;
  stop(): Promise<void>;
}

type Connection = Awaited<ReturnType<typeof createConnection>>;

export async function startSphinx(indexes: readonly SphinxIndex[]): Promise<Sphinx> {
  const [indexer, searchd] = ['indexer', 'searchd'].map(findProgram);
  if (indexer === undefined || searchd === undefined) {
    throw new Unavailable('not installed (Debian: apt install sphinxsearch)');
  }
  const folder = mkdtempSync(join(tmpdir(), 'toponym-sphinx-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    const config = writeConfig(folder, indexes);
    const banner = execFileSync(indexer, ['--config', config, '--all'], { cwd: folder, encoding: 'utf8' });
    const server = spawn(searchd, ['--config', config, '--nodetach'], { cwd: folder, stdio: 'ignore' });
    const connection = await connect(join(folder, 'socket'), server);
    return {
      version: /Sphinx ([\d.]+)/.exec(banner)?.[1] ?? '',
      query: (statements) => query(connection, statements),
      stop: async () => {
        await connection.end();
        await end(server);
        remove();
      },
    };
  } catch (error) {
    remove();
    throw error;
  }
}

function writeConfig(folder: string, indexes: readonly SphinxIndex[]): string {
  const blocks = indexes.flatMap(({ name, fields, attributes, settings, rows }) => {
    const file = join(folder, `${name}.tsv`);
    writeFileSync(file, Array.from(rows, (row) => `${row.join('\t')}\n`).join(''));
    return [
      block(`source ${name}`, [
        'type = tsvpipe',
        `tsvpipe_command = cat '${file}'`,
        ...fields.map((field) => `tsvpipe_field = ${field}`),
        ...attributes.map((attribute) => `tsvpipe_attr_${attribute.type} = ${attribute.name}`),
      ]),
      block(`index ${name}`, [`source = ${name}`, `path = ${join(folder, name)}`, ...settings]),
    ];
  });
  const server = block('searchd', [
    `listen = ${join(folder, 'socket')}:mysql41`,
    `log = ${join(folder, 'searchd.log')}`,
    `pid_file = ${join(folder, 'searchd.pid')}`,
    'workers = threads',
    'binlog_path =',
  ]);
  const config = join(folder, 'sphinx.conf');
  writeFileSync(config, [...blocks, block('indexer', ['mem_limit = 256M']), server].join('\n'));
  return config;
}

function block(title: string, lines: readonly string[]): string {
  return `${title} {\n${lines.map((line) => `  ${line}\n`).join('')}}\n`;
}

async function connect(socketPath: string, server: ChildProcess): Promise<Connection> {
  for (const until = Date.now() + 20_000; Date.now() < until && server.exitCode === null; ) {
    try {
      return await createConnection({ socketPath, multipleStatements: true, rowsAsArray: true });
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
  await end(server);
  throw new Unavailable('searchd did not respond within 20 seconds');
}

async function query(connection: Connection, statements: readonly string[]): Promise<number[][][]> {
  const [rows] = await connection.query(statements.join(';'));
  return (statements.length === 1 ? [rows] : rows) as number[][][];
}

async function end(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const exit = once(server, 'exit');
  server.kill();
  await exit;
}
