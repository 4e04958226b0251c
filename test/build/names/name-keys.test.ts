import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createKeys } from '../../../src/build/names/name-keys.ts';
import { POSTING } from '../../../src/index-file/posting.ts';
import type { NameKind } from '../../../src/place/place.ts';

/** Quality of the key (see `POSTING.qualityShift`), and whether it starts at the first word. */
function keyOf(key: string, ...names: [value: string, kind: NameKind][]) {
  const keys = createKeys(
    names.map(([value, kind]) => ({ value, kind })),
    'US',
  );
  const flags = keys.get(key)?.flags;
  if (flags === undefined) return undefined;
  return {
    quality: (flags & POSTING.qualityMask) >> POSTING.qualityShift,
    isFirstWord: (flags & POSTING.isLaterWord) === 0,
  };
}

test('a main name without its article is a key like an alternate name', () => {
  for (const [name, key] of [
    ['Las Vegas', 'vegas'],
    ['Le Havre', 'havre'],
    ['A Coruña', 'coruna'],
    ["L'Aquila", 'aquila'],
    ['The Hague', 'hague'],
  ] as const) {
    assert.deepEqual(keyOf(key, [name, 'main']), { quality: 1, isFirstWord: true }, name);
  }
});

test('without a preposition, or an article in an alternate name, the key starts at a later word', () => {
  assert.deepEqual(keyOf('main', ['Frankfurt am Main', 'main']), { quality: 0, isFirstWord: false });
  assert.deepEqual(keyOf('ville', ['Paris', 'main'], ['La Ville', 'alternate']), { quality: 2, isFirstWord: false });
});

test('a name that sounds like the main name written together is in use', () => {
  assert.deepEqual(keyOf('killarney', ['Cill Airne', 'main'], ['Killarney', 'alternate']), {
    quality: 1,
    isFirstWord: true,
  });
  assert.equal(keyOf('franklin', ['Columbus', 'main'], ['Franklin', 'alternate'])?.quality, 2);
});
