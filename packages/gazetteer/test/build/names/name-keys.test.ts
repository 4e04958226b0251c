import assert from 'node:assert/strict';
import { test } from 'node:test';
import { POSTING } from 'toponym-engine/index-file/posting';
import type { NameKind } from 'toponym-engine/place/place';
import { PENALTIES } from 'toponym-engine/rank/scores';
import { createKeys } from '../../../src/build/names/name-keys.ts';

/** Kinds of names, the best first. */
const KINDS: readonly NameKind[] = ['main', 'alternate', 'romanized', 'historic'];

/** Quality of the key (see `POSTING.qualityShift`), and whether it starts at the first word. */
function keyOf(key: string, ...names: [value: string, kind: NameKind, language?: string | undefined][]) {
  const keys = createKeys(
    names.map(([value, kind, language]) => ({ value, kind, ...(language && { language }) })),
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
  assert.deepEqual(keyOf('ville', ['Paris', 'main'], ['La Ville', 'alternate']), { quality: 3, isFirstWord: false });
});

test('a name that sounds like the main name written together is in use', () => {
  assert.deepEqual(keyOf('killarney', ['Cill Airne', 'main'], ['Killarney', 'alternate']), {
    quality: 1,
    isFirstWord: true,
  });
  assert.equal(keyOf('franklin', ['Columbus', 'main'], ['Franklin', 'alternate'])?.quality, 3);
});

test('the last main name of a renamed place counts as a main name, other former names do not', () => {
  const qualityWith = (language?: string) =>
    keyOf('port elizabeth', ['Gqeberha', 'main'], ['Port Elizabeth', 'historic', language])?.quality;
  assert.equal(qualityWith('mul'), 0);
  assert.equal(qualityWith(), 3);
  assert.equal(qualityWith('en'), 3);
});

test('if two names give one key, the key comes from the name that costs less', () => {
  assert.deepEqual(
    PENALTIES.nameQuality.toSorted((a, b) => a - b),
    PENALTIES.nameQuality,
  );
  for (const [i, better] of KINDS.entries()) {
    for (const worse of KINDS.slice(i + 1)) {
      for (const kinds of [
        [better, worse],
        [worse, better],
      ]) {
        const names = kinds.map((kind) => ({ value: 'Kiung', kind }));
        const { ordinal } = createKeys(names, 'KR').get('kiung') ?? {};
        assert.equal(kinds[ordinal ?? -1], better, `${kinds}`);
      }
    }
  }
});
