import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fold } from 'toponym-engine/text/fold';
import { listSpellings } from 'toponym-engine/text/spellings';
import { openEmbedded } from '../../../src/sources/embedded/embedded.ts';
import { listedAliases } from '../../../src/sources/regions/regions.ts';
import { readTable } from '../../../src/sources/tables.ts';

const { regions } = openEmbedded();
const rows = readTable('region-aliases');

test('two first-level divisions of a country have an alias in common only if it means an area', () => {
  const keysByName = new Map<string, Set<string>>();
  const own = rows.filter(({ meaning }) => meaning === 'region').map(({ region, alias }) => [region, alias] as const);
  for (const [key, name] of [...regions.map(({ key, name }) => [key, name] as const), ...own]) {
    const [country, ...codes] = key.split('.');
    const folded = `${country} ${fold(name)}`;
    if (codes.length === 1) keysByName.set(folded, (keysByName.get(folded) ?? new Set()).add(key));
  }
  const clashes = [...keysByName].filter(([, owners]) => owners.size > 1);
  assert.deepEqual(clashes, []);
});

/** In these scripts the tables have several forms of a name, which are folded onto each other. */
const WITH_FORMS = /\p{Script=Han}|\p{Script=Devanagari}/u;

const areas = new Set(
  rows.filter(({ meaning }) => meaning === 'area').map(({ region, alias }) => `${region} ${alias}`),
);

test('each alias adds a spelling to its division', () => {
  const useless: string[] = [];
  for (const { key, name } of regions) {
    const known = new Set(listSpellings(name));
    // Kent is also the name of other divisions, so the division Kent has its own name as an alias
    const isSharedName = (alias: string) => alias === name && areas.has(`${key} ${alias}`);
    for (const alias of listedAliases(key, name)) {
      if (WITH_FORMS.test(alias)) continue;
      const spellings = listSpellings(alias);
      if (spellings.every((spelling) => known.has(spelling)) && !isSharedName(alias)) useless.push(`${key} ${alias}`);
      for (const spelling of spellings) known.add(spelling);
    }
  }
  assert.deepEqual(useless, []);
});

test('regions have their code, listed names, names of areas, and what rules make of them', () => {
  const aliases = new Map(regions.map((region) => [region.key, region.aliases]));
  const expected: Record<string, string[]> = {
    'US.TX': ['TX', 'Tex', 'Техас', 'テキサス州'],
    'US.TX.277': ['Lamar'],
    'DE.02': ['Bayern', 'BY', 'Бавария', 'バイエルン'],
    'IT.09.MB': ['MB', 'Brianza'],
    'FR.44.67': ['67', 'Alsace'],
    'GB.ENG.GLA': ['London', 'Middlesex', 'Surrey'],
    'GB.NIR.N09000011': ['County Down', 'Co Down'],
    'JP.20': ['高知県', 'Kochi-ken', 'Kochi Prefecture'],
    'JP.40': ['東京都', 'Tokyo-to'],
    'CN.04': ['江苏', '江苏省', '江蘇省'],
    'RU.71': ['Sverdlovsk', 'Свердловская область', 'Свердловская обл.'],
    'EG.05': ['الغربية', 'محافظة الغربية'],
  };
  for (const [key, names] of Object.entries(expected)) {
    for (const name of names) assert.ok(aliases.get(key)?.includes(name), `${key} ${name}: ${aliases.get(key)}`);
  }
});
