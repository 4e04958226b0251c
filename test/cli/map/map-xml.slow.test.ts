/** Python's XML parser reads a map. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { loadWorldShapes } from '../../../src/cli/map/base-map.ts';
import { hitMap } from '../../../src/cli/map/hit-map.ts';
import { outsideProgram } from '../../support/outside-programs.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { aHit, aResponse } from './a-response.ts';

const python = outsideProgram('python3');

/** Prints the name of the root, the titles of the markers and the names in the legend, as JSON. */
const READ_SVG = `
import json, sys
import xml.etree.ElementTree as tree
svg = '{http://www.w3.org/2000/svg}'
root = tree.parse(sys.argv[1]).getroot()
titles = [g.findtext(svg + 'title') for g in root.iter(svg + 'g') if 'data-x' in g.attrib]
names = [t.text for t in root.iter(svg + 'text') if t.get('class') == 'name']
print(json.dumps({'root': root.tag, 'titles': titles[::-1], 'names': names}))
`;

test('a map is a valid document, in which hostile names are text', { skip: python.skip }, (context) => {
  const file = join(temporaryFolder(context), 'map.svg');
  const names = [
    '</text><script>alert(1)</script>',
    ']]>&amp;"\'',
    'a\u0000\u001b[31m\ud800\uffff',
    '\u202eevil',
    '<!--',
  ];
  const hits = names.map((name, i) => aHit(name, i * 10, i * 30, { label: name }));
  writeFileSync(file, hitMap(aResponse(hits, { query: '"><svg onload=x>' }), loadWorldShapes()));
  const shown = [...names.slice(0, 2), 'a\ufffd\ufffd[31m\ufffd\ufffd', ...names.slice(3)];
  assert.deepEqual(JSON.parse(execFileSync(python.path, ['-c', READ_SVG, file], { encoding: 'utf8' })), {
    root: '{http://www.w3.org/2000/svg}svg',
    titles: shown.map((name, i) => `${i + 1}. ${name}`),
    names: shown,
  });
  assert.doesNotMatch(readFileSync(file, 'utf8'), /<script|<svg onload/);
});
