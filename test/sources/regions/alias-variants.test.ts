import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aliasVariants } from '../../../src/sources/regions/alias-variants.ts';

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
