import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readBundledRegions } from '../../../src/sources/embedded/cities-package.ts';
import { aliasVariants, createRegions, plainNames, readFormerRegions } from '../../../src/sources/regions/regions.ts';

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

test('names of divisions have single spaces', () => {
  assert.equal(createRegions([{ key: 'CO.34.11001', name: 'Bogotá  D.C. ' }])[0]?.name, 'Bogotá D.C.');
});

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
  assert.deepEqual(aliasesOf('US.TX.113', 'Dallas County'), ['Dallas']);
});

test('a generic word is added or shortened as people do in the country', () => {
  const cases: [country: string, name: string, variants: string[]][] = [
    ['GB', 'County Durham', ['Co Durham']],
    ['IE', 'County Wexford', ['Co Wexford']],
    ['PL', 'Opolskie', ['woj. Opolskie', 'województwo Opolskie']],
    ['RU', 'Тульская область', ['Тульская обл.']],
    ['US', 'Техас', ['штат Техас']],
    ['US', 'テキサス', ['テキサス州']],
    ['US', '德克萨斯', ['德克萨斯州']],
    ['US', '텍사스', ['텍사스주']],
    ['CA', 'オンタリオ', ['オンタリオ州']],
    ['CA', '安大略', ['安大略省']],
    ['JP', '神奈川県', ['神奈川县', '神奈川縣']],
    ['EG', 'الغربية', ['محافظة الغربية']],
    ['IR', 'فارس', ['استان فارس']],
    ['TH', 'ภูเก็ต', ['จังหวัดภูเก็ต']],
    ['BG', 'Варна', ['област Варна']],
  ];
  for (const [country, name, variants] of cases) assert.deepEqual(aliasVariants(country, name), variants, name);
});

test('other names have no variants', () => {
  for (const [country, name] of ['US County Line', 'PL Silesia', 'US 加州', 'US 华盛顿特区', 'FR Normandie'].map(
    (text) => [text.slice(0, 2), text.slice(3)] as const,
  )) {
    assert.deepEqual(aliasVariants(country, name), [], name);
  }
});

test('a generic word is removed before and after the name', () => {
  const cases: Record<string, string> = {
    'Dallas County': 'Dallas',
    'Powiat opolski': 'opolski',
    'Landkreis Gotha': 'Gotha',
    'Politischer Bezirk Bludenz': 'Bludenz',
    'Provincia de Salta': 'Salta',
    'Provincia di Varese': 'Varese',
    'Provincia autonoma di Trento': 'Trento',
    'Província de Girona': 'Girona',
    'City and Borough of Leeds': 'Leeds',
    'Royal Borough of Windsor and Maidenhead': 'Windsor and Maidenhead',
    'Caerphilly County Borough': 'Caerphilly',
    'Departamento de La Paz': 'La Paz',
    "Département de l'Ain": 'Ain',
    'Arrondissement du Port': 'Port',
    'State of Berlin': 'Berlin',
    'Kyiv Oblast': 'Kyiv',
    'Adana Province': 'Adana',
    'Los Lagos Region': 'Los Lagos',
    'Municipality of Kamnik': 'Kamnik',
    'Amphoe Nong Muang': 'Nong Muang',
  };
  for (const [name, plain] of Object.entries(cases))
    assert.ok(plainNames(name).includes(plain), `${name}: ${plainNames(name)}`);
});

test('a name without a generic word, or whose remainder is not a name, has no shorter form', () => {
  const notNames = ['Northern Province', 'Capital Region', 'Free State', 'Distrito Federal', 'Comuna 12', 'Of İlçesi'];
  const plain = ['Texas', 'Île-de-France', 'Gradiška', 'Cantonment', 'Kyoto'];
  for (const name of [...notNames, 'County', 'District #1', ...plain]) assert.deepEqual(plainNames(name), [], name);
});
