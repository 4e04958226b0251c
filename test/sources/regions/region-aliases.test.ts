import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aliasVariants, plainNames } from '../../../src/sources/regions/regions.ts';

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
  const cases: [country: string, name: string][] = [
    ['US', 'County Line'],
    ['PL', 'Silesia'],
    ['US', '加州'],
    ['US', '华盛顿特区'],
    ['FR', 'Normandie'],
  ];
  for (const [country, name] of cases) assert.deepEqual(aliasVariants(country, name), [], name);
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

test('a remainder that is not a name is dropped', () => {
  for (const name of [
    'Northern Province',
    'Capital Region',
    'Free State',
    'Distrito Federal',
    'Comuna 12',
    'Of İlçesi',
    'County',
    'District #1',
  ]) {
    assert.deepEqual(plainNames(name), [], name);
  }
});

test('a name without a generic word has no shorter form', () => {
  for (const name of ['Texas', 'Île-de-France', 'Gradiška', 'Cantonment', 'Kyoto'])
    assert.deepEqual(plainNames(name), []);
});
