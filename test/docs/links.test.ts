import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

const root = new URL('../../', import.meta.url);
const pages = ['', 'docs/', 'bench/'].flatMap((folder) =>
  readdirSync(new URL(folder, root))
    .filter((name) => name.endsWith('.md'))
    .map((name) => folder + name),
);

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
      const candidates = [path, `src/${path}`, `bench/${path}`];
      assert.ok(
        candidates.some((candidate) => existsSync(new URL(candidate, root))),
        path,
      );
    }
  });
}
