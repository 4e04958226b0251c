import assert from 'node:assert/strict';
import { test } from 'node:test';
import { plainNames } from '../../../src/sources/regions/plain-names.ts';

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
