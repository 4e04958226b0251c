import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { licenceText } from '../../web/licences.js';

test('the licences of all bundled packages go with the bundle, and not those of the bundler', () => {
  const text = licenceText(fileURLToPath(new URL('../../web/package.json', import.meta.url)));
  for (const part of [
    'maplibre-gl 6.17.0 (BSD-3-Clause)',
    'Copyright (c) 2023, MapLibre contributors',
    'Copyright 2012-2019 Michael Bostock',
    'Swagger UI (Apache-2.0)',
    'TERMS AND CONDITIONS FOR USE, REPRODUCTION, AND DISTRIBUTION',
    'Copyright (c) 2015-2025, Brandon Jones', // gl-matrix, which maplibre-gl contains
  ]) {
    assert.ok(text.includes(part), part);
  }
  assert.doesNotMatch(text, /^esbuild /m);
});
