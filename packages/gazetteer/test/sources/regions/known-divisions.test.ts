import assert from 'node:assert/strict';
import { test } from 'node:test';
import { KnownDivisions } from '../../../src/sources/regions/known-divisions.ts';
import { createRegion } from '../../../src/sources/regions/regions.ts';

/** Divisions of Liechtenstein and the United States. */
function someDivisions(): KnownDivisions {
  const divisions = new KnownDivisions();
  divisions.add(createRegion('LI.M', 'Musterland', { aliases: ['Model Country', 'Shared'] }));
  divisions.add(
    createRegion('LI.O', 'Öberland', { aliases: ['Shared'], translations: new Map([['fr', 'Pays Haut']]) }),
  );
  divisions.add(createRegion('LI.M.N', 'Nord District'));
  divisions.add(createRegion('US.X', 'Musterland'));
  return divisions;
}

const find = (admin1: string, admin2?: string) => someDivisions().findKeys({ country: 'LI', admin1, admin2 });

test('a division is found by key, name, alias and translation', () => {
  assert.deepEqual(find('LI.M', 'LI.M.N'), { admin1: 'LI.M', admin2: 'LI.M.N' });
  for (const name of ['musterland', ' Model Country ']) assert.deepEqual(find(name), { admin1: 'LI.M' });
  for (const name of ['Oberland', 'pays haut']) assert.deepEqual(find(name), { admin1: 'LI.O' });
  assert.deepEqual(find('Musterland', 'Nord'), { admin1: 'LI.M', admin2: 'LI.M.N' });
});

test('a name that no division has, or several have as an alias, becomes a new division', () => {
  const divisions = someDivisions();
  const count = divisions.regions.length;
  for (const name of ['Shared', 'St.Gallen', 'XY.Z', 'Shared']) divisions.findKeys({ country: 'LI', admin1: name });
  assert.deepEqual(divisions.regions.slice(count), [
    { key: 'LI.~shared', level: 1, country: 'LI', name: 'Shared', aliases: [] },
    { key: 'LI.~st·gallen', level: 1, country: 'LI', name: 'St.Gallen', aliases: [] },
    { key: 'LI.~xy·z', level: 1, country: 'LI', name: 'XY.Z', aliases: [] },
  ]);
});

test('a GeoNames key is known without a region line', () => {
  const divisions = new KnownDivisions();
  const keys = { admin1: 'US.TX', admin2: 'US.TX.277' };
  assert.deepEqual(divisions.findKeys({ country: 'US', ...keys }), keys);
  assert.deepEqual(
    divisions.regions.map(({ name }) => name),
    ['Texas', 'Lamar County'],
  );
});

test('a refused key adds no division', () => {
  const divisions = new KnownDivisions();
  for (const admin1 of ['US.TX', 'LI.Z']) divisions.findKeys({ country: 'LI', admin1 });
  divisions.findKeys({ country: 'US', admin1: 'US.TX.277' });
  assert.deepEqual(divisions.regions, []);
});

test('an unknown key, and the key of a division elsewhere, are errors', () => {
  const expected = (division: string, parent: string) =>
    `${division} is not the key of a division of ${parent}: expected such a key, or a name`;
  assert.equal(find('LI.Z'), expected('admin1 "LI.Z"', 'LI'));
  assert.equal(find('US.X'), expected('admin1 "US.X"', 'LI'));
  assert.equal(find('US.TX'), expected('admin1 "US.TX"', 'LI'));
  assert.equal(find('LI.M.N'), expected('admin1 "LI.M.N"', 'LI'));
  assert.equal(find('LI.O', 'LI.M.N'), expected('admin2 "LI.M.N"', 'LI.O'));
  assert.equal(someDivisions().findKeys({ country: 'LI', admin2: 'Nord' }), 'admin2 "Nord" without an admin1');
});
