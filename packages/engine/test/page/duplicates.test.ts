import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Duplicates } from '../../src/page/page-selection.ts';
import { StoredText } from '../../src/page/stored-text.ts';

interface Sketch {
  readonly name?: string;
  readonly lat?: number;
  readonly lng?: number;
  readonly region?: number;
  readonly country?: number;
}

function duplicatesOf(places: readonly Sketch[]): Duplicates {
  const columns = {
    placeAdmin1: Uint32Array.from(places, ({ region = 1 }) => region),
    placeCountry: Uint16Array.from(places, ({ country = 1 }) => country),
    placeLatE7: Int32Array.from(places, ({ lat = 0 }) => lat * 1e7),
    placeLngE7: Int32Array.from(places, ({ lng = 0 }) => lng * 1e7),
  };
  const names = { mainNameText: (place: number) => StoredText.of(places[place]!.name ?? 'Kanu') };
  return new Duplicates(columns, names, places.length);
}

/** Whether each place is shown if the places are checked in order. */
function shown(places: readonly Sketch[]): boolean[] {
  const duplicates = duplicatesOf(places);
  return places.map((_, place) => !duplicates.rejects(place));
}

test('a place duplicates another of the same name and region less than eight kilometres away', () => {
  assert.deepEqual(shown([{}, { lat: 0.0719 }, { lat: 0.072 }]), [true, false, true]);
  assert.deepEqual(shown([{ lat: 60 }, { lat: 60, lng: 0.143 }, { lat: 60, lng: -0.145 }]), [true, false, true]);
  assert.deepEqual(shown([{ lng: 179.99 }, { lng: -179.99 }]), [true, false]);
  assert.deepEqual(
    shown([
      { lat: 89.99, lng: 0 },
      { lat: 89.99, lng: 180 },
    ]),
    [true, false],
  );
});

test('names are the same if they fold to the same text', () => {
  assert.deepEqual(shown([{ name: 'Saint-Denis' }, { name: 'saint Dénis' }, { name: 'Saintdenis' }]), [
    true,
    false,
    true,
  ]);
});

test('places of another region or country are no duplicates, nor are places that are near only a duplicate', () => {
  assert.deepEqual(shown([{}, { region: 2 }, { country: 2 }]), [true, true, true]);
  assert.deepEqual(shown([{}, { lat: 0.05 }, { lat: 0.1 }]), [true, false, true]);
});

test('clear removes the places that were accepted before', () => {
  const duplicates = duplicatesOf([{}, {}]);
  assert.deepEqual([duplicates.rejects(0), duplicates.rejects(1)], [false, true]);
  duplicates.clear();
  assert.deepEqual([duplicates.rejects(1), duplicates.rejects(0)], [false, true]);
});
