/**
 * SQLite FTS5 in memory: a table with prefix indexes and rows in order of population, so that the
 * first rows are the best, and a trigram table that is used if the first finds nothing.
 */
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { fold } from 'toponym-engine/text/fold';
import type { Peer } from '../peer.ts';
import { Unavailable } from '../peer.ts';
import type { BenchPlace } from '../places.ts';
import type { TextQuery } from '../queries.ts';
import { CANDIDATES, Candidates, splitText } from './candidates.ts';

const db = new DatabaseSync(':memory:');
let candidates: Candidates;
let byPrefix: StatementSync;
let byTrigrams: StatementSync;

export const peer: Peer<TextQuery> = {
  name: 'SQLite FTS5',
  version: (db.prepare('SELECT sqlite_version() AS version').get() as { version: string }).version,
  // Name, ASCII name, and region with country; `prefix=1 2 3 4`, rows in order of population,
  // first 1000 rows re-ranked. If that finds nothing: the first 100 by bm25 of a trigram table of
  // the ASCII names. In memory, node:sqlite.
  load(places) {
    candidates = new Candidates(places);
    createTables();
    fill(places);
    byPrefix = db.prepare(`SELECT rowid FROM place WHERE place MATCH ? ORDER BY rowid LIMIT ${CANDIDATES}`);
    byTrigrams = db.prepare('SELECT rowid FROM trigram WHERE trigram MATCH ? ORDER BY rank LIMIT 100');
  },
  search(query, limit) {
    const { name, region } = splitText(query.text);
    if (name === '') return [];
    const match = region === '' ? namesMatch(name) : `${namesMatch(name)} AND region : (${prefixTerms(region)})`;
    const found = byPrefix.all(match);
    const rows = found.length > 0 ? found : byTrigrams.all(toTrigrams(name));
    return candidates.best(
      rows.map(({ rowid }) => Number(rowid) - 1),
      query,
      limit,
    );
  },
};

function createTables(): void {
  try {
    db.exec(
      "CREATE VIRTUAL TABLE place USING fts5(name, asciiName, region, prefix='1 2 3 4', content='', detail=full)",
    );
    db.exec("CREATE VIRTUAL TABLE trigram USING fts5(name, tokenize='trigram', content='')");
  } catch (error) {
    throw new Unavailable(`FTS5 is not compiled into node:sqlite (${(error as Error).message})`);
  }
}

function fill(places: readonly BenchPlace[]): void {
  const insert = db.prepare('INSERT INTO place(rowid, name, asciiName, region) VALUES (?, ?, ?, ?)');
  const insertTrigrams = db.prepare('INSERT INTO trigram(rowid, name) VALUES (?, ?)');
  db.exec('BEGIN');
  places.forEach(({ name, asciiName, region, country }, position) => {
    insert.run(position + 1, fold(name), fold(asciiName), fold(`${region} ${country}`));
    insertTrigrams.run(position + 1, fold(asciiName));
  });
  db.exec('COMMIT');
  db.exec("INSERT INTO place(place) VALUES ('optimize')");
  db.exec("INSERT INTO trigram(trigram) VALUES ('optimize')");
}

function namesMatch(name: string): string {
  return `{name asciiName} : (${prefixTerms(name)})`;
}

/** Requires every word, the last one as a prefix. */
function prefixTerms(folded: string): string {
  return `${folded
    .split(' ')
    .map((word) => `"${word}"`)
    .join(' ')}*`;
}

function toTrigrams(folded: string): string {
  const trigrams = new Set<string>();
  for (let i = 0; i + 3 <= folded.length; i++) trigrams.add(`"${folded.slice(i, i + 3)}"`);
  return trigrams.size === 0 ? `"${folded}"` : [...trigrams].join(' OR ');
}
