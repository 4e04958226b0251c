/** Links, tables and figures of the documentation that need no running program to be checked. */
import assert from 'node:assert/strict';
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fieldOf, optionsOf } from 'toponym-engine/options';
import { flagFor, SETTINGS, variableFor } from 'toponym-program/cli/settings/settings';
import * as timeouts from 'toponym-server/http/timeouts';
import { HELP } from 'toponym-server/serve/metrics/metric';
import { OPTION_ATTRIBUTES } from '../../packages/client/src/element/attributes.ts';
import { GENERATED_PAGE, withTables } from '../../scripts/docs.ts';

const root = new URL('../../', import.meta.url);
const pages = ['', 'docs/', 'docs/guides/', 'bench/']
  .flatMap((folder) =>
    readdirSync(new URL(folder, root))
      .filter((name) => name.endsWith('.md'))
      .map((name) => folder + name),
  )
  .concat(globSync('packages/*/README.md', { cwd: root }));

/** The anchors that GitHub gives to the headings of a page. */
function anchorsOf(page: string): Set<string> {
  const headings = [...textOf(page).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => heading);
  return new Set(
    headings.map((heading) =>
      heading
        .toLowerCase()
        .replace(/[^\w\s-]/g, '')
        .replaceAll(' ', '-'),
    ),
  );
}

function textOf(page: string): string {
  return readFileSync(new URL(page, root), 'utf8');
}

for (const page of pages) {
  test(`every relative link of ${page} leads to a file and a heading that exist`, () => {
    for (const [link, path = '', anchor] of textOf(page).matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)/g)) {
      const target = path === '' ? new URL(page, root) : new URL(path, new URL(page, root));
      assert.ok(existsSync(target), link);
      if (anchor === undefined) continue;
      assert.ok(anchorsOf(target.href.slice(root.href.length)).has(anchor), link);
    }
  });

  test(`every source and test file that ${page} names exists`, () => {
    for (const [, path = ''] of textOf(page).matchAll(/`([a-z][\w-]*(?:\/[\w.-]+)+\.[jt]s)`/g)) {
      const candidates = [path, ...globSync(`packages/*/src/${path}`, { cwd: root }), `bench/${path}`];
      assert.ok(
        candidates.some((candidate) => existsSync(new URL(candidate, root))),
        path,
      );
    }
  });
}

test('every command that creates a key says its label, without which the command fails', () => {
  for (const page of [...pages.filter((page) => page !== 'CHANGELOG.md'), 'web/docs.html']) {
    for (const [command] of textOf(page).matchAll(/\btoponym keys create\b.*/g)) {
      assert.match(command, /keys create --label/, page);
    }
  }
});

test('no page, example or help text installs the packages from the registry, which does not have them yet', () => {
  const files = ['deploy', 'packages', 'web/src', 'docs/static'].flatMap((folder) =>
    readdirSync(new URL(folder, root), { recursive: true, withFileTypes: true })
      .filter((file) => file.isFile())
      .map(({ parentPath, name }) => `${parentPath}/${name}`),
  );
  const own = pages.filter((page) => page !== 'CHANGELOG.md').map((page) => new URL(page, root).pathname);
  const fromRegistry =
    /npm (?:install|i|add)(?: -\S+)* "?toponym\b|npx (?:-\S+ )+toponym\b|"-y", "toponym"|(?:unpkg|jsdelivr|esm\.sh)[^\n]*toponym/;
  for (const file of [...own, ...files, new URL('packages/client/README.md', root).pathname]) {
    assert.doesNotMatch(readFileSync(decodeURI(file), 'utf8'), fromRegistry, file);
  }
});

test('every page that runs npx toponym says where it works', () => {
  for (const page of pages) {
    const text = textOf(page);
    if (/^```sh\n(?:(?!```).*\n)*npx toponym/m.test(text)) assert.match(text, /npm start|install\.md#npm/, page);
  }
});

test('the tables of options in docs/api.md are those that npm run docs writes', () => {
  const text = readFileSync(GENERATED_PAGE, 'utf8');
  assert.match(text, /: written by npm run docs -->\n\n\|/);
  assert.equal(text, withTables(text));
});

test('docs/library.md has a row for each option that searches take, and docs/client.md each attribute', () => {
  const library = textOf('docs/library.md');
  const fieldRows = library.slice(library.indexOf('| field of `search`'), library.indexOf('| field of `reverse`'));
  const documented = Array.from(fieldRows.matchAll(/^\| `(\w+)`/gm), ([, field]) => field);
  const fields = optionsOf('query').flatMap((name) => fieldOf(name, 'query') ?? []);
  assert.deepEqual(documented.toSorted(), fields.toSorted());
  const [, attributes = ''] = /^\| (.*) \| the \[options of `query`\]/m.exec(textOf('docs/client.md')) ?? [];
  assert.deepEqual(attributes.split(', ').toSorted(), OPTION_ATTRIBUTES.map((name) => `\`${name}\``).toSorted());
});

const operations = textOf('docs/operations.md');

test('the table in docs/operations.md lists exactly the settings of the program', () => {
  const section = operations.slice(operations.indexOf('## Settings'), operations.indexOf('## The page'));
  const rows = section.matchAll(/^\| `(--[a-z-]+|TOPONYM_[A-Z_]+)` \| .* \| .* \|$/gm);
  const expected = Object.entries(SETTINGS).map(([key, setting]) =>
    'isSecret' in setting ? variableFor(key) : flagFor(key),
  );
  assert.deepEqual(
    Array.from(rows, ([, name]) => name),
    expected,
  );
});

test('the defaults in docs/operations.md are those of the program', () => {
  for (const [key, setting] of Object.entries(SETTINGS)) {
    if (!('defaultText' in setting) || 'defaultDescription' in setting) continue;
    assert.ok(operations.includes(`| \`${flagFor(key)}\` | \`${setting.defaultText}\` |`), key);
  }
});

test('docs/operations.md has a row for each metric', () => {
  const table = operations.slice(operations.indexOf('| metric |'), operations.indexOf('The log is JSON lines'));
  const cells = table.split('\n').map((row) => row.split('|')[1] ?? '');
  const documented = cells.flatMap((cell) => [...cell.matchAll(/`(\w+)`/g)].map(([, name]) => name));
  assert.deepEqual(documented.toSorted(), Object.keys(HELP).toSorted());
});

test('docs/reliability.md lists the time limits of the program', () => {
  const page = textOf('docs/reliability.md');
  const section = page.slice(page.indexOf('## Time limits'), page.indexOf('## Clients'));
  const seconds = [...section.matchAll(/^\|[^|]+\| (\d+) \|/gm)].map(([, figure]) => Number(figure));
  const { PROXY_HEADER_TIMEOUT_MS, HANDSHAKE_TIMEOUT_MS, REQUEST_TIMEOUT_MS, WRITE_TIMEOUT_MS } = timeouts;
  const { IDLE_TIMEOUT_MS, LINGER_MS, METRICS_REQUEST_TIMEOUT_MS } = timeouts;
  const expected = [
    PROXY_HEADER_TIMEOUT_MS,
    HANDSHAKE_TIMEOUT_MS,
    HANDSHAKE_TIMEOUT_MS,
    REQUEST_TIMEOUT_MS,
    WRITE_TIMEOUT_MS,
    IDLE_TIMEOUT_MS,
    LINGER_MS,
    METRICS_REQUEST_TIMEOUT_MS,
  ];
  assert.deepEqual(
    seconds,
    expected.map((ms) => ms / 1000),
  );
});

/** Names of the engines, and their figures for a class of queries, in the table of docs/bench.md. */
function figuresOf(queryClass: string): string[][] {
  const [, table = ''] = /^\*\*p50 \/ p99, correct in top 10\*\*\n\n((?:\|.*\n)+)/m.exec(textOf('docs/bench.md')) ?? [];
  const [columns = [], , ...rows] = table
    .trim()
    .split('\n')
    .map((row) => row.slice(2, -2).split(' | '));
  const column = columns.indexOf(queryClass);
  return rows.map((row) => [row[0] ?? '', row[column] ?? '']).filter(([name = '']) => !name.startsWith('Toponym,'));
}

test('the chart in README.md has the figures of docs/bench.md', () => {
  const documented = ['prefix, people', '1 typo']
    .flatMap(figuresOf)
    .map(([name, figures = '']) => [name, figures.replace(', ', ', correct ')]);
  assert.equal(documented.length, 16);
  const drawn = [
    ...textOf('docs/bench-summary.svg').matchAll(
      /<text [^>]*text-anchor="end">([^<]+)<\/text>.*<text [^>]*>([^<]+)<\/text>$/gm,
    ),
  ];
  assert.deepEqual(
    drawn.map(([, name, figures]) => [name, figures]),
    documented,
  );
});
