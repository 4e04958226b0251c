import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRegions, readBundledRegions, readFormerRegions } from '../../../src/sources/regions/regions.ts';

test('provinces of Vietnam have their aliases under the former and the current codes', () => {
  const former = new Map(createRegions(readFormerRegions()).map(({ key, aliases }) => [key, aliases]));
  const current = new Map(createRegions(readBundledRegions()).map(({ key, aliases }) => [key, aliases]));
  for (const [formerKey, currentKey, ...aliases] of [
    ['VN.20', 'VN.79', 'HCMC', 'Saigon', 'Sài Gòn', '호찌민'],
    ['VN.44', 'VN.01', 'HN', '河内'],
    ['VN.13', 'VN.31', 'Haiphong', 'HP'],
    ['VN.78', 'VN.48', 'Danang'],
    ['VN.88', 'VN.66', 'Daklak'],
    ['VN.66', 'VN.46', 'Huế'],
  ] as const) {
    for (const alias of aliases) {
      assert.ok(former.get(formerKey)?.includes(alias), `${formerKey} ${alias}`);
      assert.ok(current.get(currentKey)?.includes(alias), `${currentKey} ${alias}`);
    }
  }
  assert.deepEqual(former.get('VN.01'), []);
  assert.deepEqual(current.get('VN.20'), ['Lạng Sơn']);
  assert.deepEqual(aliasesOf('VN.46.475', 'Huế'), []);
});

function aliasesOf(key: string, name: string): readonly string[] {
  return createRegions([{ key, name }])[0]?.aliases ?? [];
}

test('first-level divisions have names to show in other languages, unless the code now stands for another one', () => {
  const translationsOf = (key: string, name: string) => createRegions([{ key, name }])[0]?.translations;
  const moscow = translationsOf('RU.48', 'Moscow');
  const oblast = translationsOf('RU.47', 'Moscow Oblast');
  assert.deepEqual([moscow?.get('ru'), oblast?.get('ru')], ['Москва', 'Московская область']);
  assert.deepEqual([moscow?.get('de'), oblast?.get('de')], ['Moskau', 'Oblast Moskau']);
  assert.equal(translationsOf('DE.08', 'Rheinland-Pfalz')?.get('fr'), 'Rhénanie-Palatinat'); // its name is not English
  assert.equal(translationsOf('US.TX', 'Texas')?.get('fr'), undefined); // the same in French
  assert.equal(translationsOf('RU.48', 'Another'), undefined);
});

test('most first-level divisions have names in at least 25 languages', () => {
  const divisions = createRegions(readBundledRegions()).filter(({ level }) => level === 1);
  const languages = divisions.map(({ translations }) => [...(translations?.keys() ?? [])]);
  const divisionsByLanguage = Map.groupBy(languages.flat(), (language) => language);
  const named = [...divisionsByLanguage.values()].filter(({ length }) => length > 500);
  assert.ok(named.length >= 25, `${named.length} languages`);
  assert.ok(languages.filter(({ length }) => length > 0).length > 3200);
});

test('codes are aliases only where people type them', () => {
  const hasAlias = (key: string, alias: string) => aliasesOf(key, 'A division').includes(alias);
  assert.ok(
    hasAlias('US.TX', 'TX') && hasAlias('FR.11.93', '93') && hasAlias('FR.94.2A', '2A') && hasAlias('IT.09.MB', 'MB'),
  );
  assert.ok(!hasAlias('FR.11', '11') && !hasAlias('US.TX.113', '113') && !hasAlias('ES.56.B', 'B'));
});

test('a name that several divisions share is an alias of each', () => {
  for (const key of ['GB.ENG.J7', 'GB.ENG.H3', 'GB.ENG.L9']) {
    const aliases = aliasesOf(key, 'A district');
    for (const alias of ['Yorkshire', 'Yorks']) assert.ok(aliases.includes(alias), `${key} ${alias}`);
  }
  assert.ok(!aliasesOf('GB.ENG.G5', 'Kent').includes('Yorkshire'));
});

test('a division has its listed aliases, their variants and its name without a generic word', () => {
  assert.deepEqual(aliasesOf('IE.L.30', 'Wexford County'), ['County Wexford', 'Loch Garman', 'Co Wexford', 'Wexford']);
});

test('a division without listed aliases has only names that follow a rule', () => {
  assert.deepEqual(aliasesOf('US.TX.113', 'Dallas County'), ['Dallas']);
});
