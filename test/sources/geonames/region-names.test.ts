import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseAlternateRow } from '../../../src/sources/geonames/alternate-row.ts';
import { regionAliases, regionTranslations } from '../../../src/sources/geonames/region-names.ts';

/** Parses rows of alternateNamesV2.txt, given as label, name and any flags. */
function namesOf(...rows: [label: string, name: string, ...flags: string[]][]) {
  return rows.map(([label, name, ...flags], i) => {
    const flagged = ['preferred', 'short', 'colloquial', 'historic'].map((flag) => (flags.includes(flag) ? '1' : ''));
    const parsed = parseAlternateRow([i + 1, 2951839, label, name, ...flagged, '', ''].join('\t'));
    assert.ok(parsed !== undefined && parsed !== 'malformed', name);
    return parsed;
  });
}

test('the preferred name of a language is shown, else a plain name, else a short form', () => {
  const names = namesOf(
    ['de', 'BY', 'short'],
    ['de', 'Freistaat Bayern'],
    ['de', 'Bayern', 'preferred'],
    ['fr', 'État libre de Bavière'],
    ['fr', 'Bavière', 'preferred', 'short'],
    ['it', 'Bav.', 'short'],
    ['it', 'Baviera'],
    ['ja', 'バイエルン', 'short'],
  );
  assert.deepEqual([...regionTranslations(names, 'Bavaria')].sort(), [
    ['de', 'Bayern'],
    ['fr', 'Bavière'],
    ['it', 'Baviera'],
    ['ja', 'バイエルン'],
  ]);
});

test('historic and colloquial names, codes and names of unknown language are not shown', () => {
  const names = namesOf(
    ['de', 'Baiern', 'historic'],
    ['nl', 'Bierland', 'colloquial'],
    ['iata', 'MUC'],
    ['piny', 'Bāfálìyà'],
    ['wkdt', 'Q980'],
    ['', 'Bavariae'],
  );
  assert.deepEqual([...regionTranslations(names, 'Bavaria')], []);
  assert.deepEqual(regionAliases(names), ['Bierland', 'Bavariae']);
});

test('a language that has the main name shows it, so that English is as without a language', () => {
  const names = namesOf(['en', 'Free State of Bavaria'], ['en', 'Bavaria', 'short'], ['fr', 'Bavière']);
  assert.deepEqual([...regionTranslations(names, 'Bavaria')].sort(), [
    ['en', 'Bavaria'],
    ['fr', 'Bavière'],
  ]);
});
