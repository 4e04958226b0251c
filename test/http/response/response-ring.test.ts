import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AnswerRow } from '../../../src/http/response/response-ring.ts';
import { seededRandom } from '../../support/seeded-random.ts';

const ROOM = 64 * 1024;
const LONGEST = 6000;

/** Every letter of it tells which one it is. */
function partsOf(number: number, length: number) {
  const letter = String.fromCharCode(0x20 + (number % 0xdf));
  const middle = length >> 1;
  return { head: `${number}:${letter.repeat(middle)}`, tail: letter.repeat(length - middle) };
}

function textOf(row: AnswerRow, key: string, between: number): string | undefined {
  const found = row.find(key);
  return found && row.read(found, between);
}

/** Looking is a use, so seldom. */
function assertAllWhole(row: AnswerRow, added: ReadonlyMap<string, { head: string; tail: string }>): void {
  for (const [key, { head, tail }] of added)
    assert.ok([undefined, `${head}0${tail}`].includes(textOf(row, key, 0)), key);
}

test('whatever came, went, stayed and was moved, an answer that is found is the one that was added', () => {
  const random = seededRandom(7);
  const row = new AnswerRow(ROOM);
  const added = new Map<string, { head: string; tail: string }>();
  let found = 0;
  let gone = 0;
  for (let i = 0; i < 20_000; i++) {
    const parts = partsOf(i, random(LONGEST));
    added.set(`answer ${i}`, parts);
    row.add(`answer ${i}`, parts);
    const key = `answer ${Math.max(0, i - random(60))}`;
    const { head, tail } = added.get(key)!;
    const text = textOf(row, key, i);
    if (text === undefined) gone++;
    else assert.equal(text, `${head}${i}${tail}`);
    if (text !== undefined) found++;
    if (i % 1000 === 999) assertAllWhole(row, added);
  }
  assert.ok(found > 1000 && gone > 1000, `${found} found, ${gone} gone`);
});

test('what it holds never takes more than its room, however short it is', () => {
  const row = new AnswerRow(ROOM);
  const count = 1000;
  for (let i = 0; i < count; i++) row.add(`answer ${i}`, { head: '{', tail: '}' });
  const held = Array.from({ length: count }, (_, i) => textOf(row, `answer ${i}`, i)).filter(Boolean);
  assert.equal(held.length, 64);
  assert.equal(held.at(-1), `{${count - 1}}`);
});

test('there is room until another would have to go', () => {
  const row = new AnswerRow(ROOM);
  const half = partsOf(1, ROOM / 2 - 10);
  assert.ok(row.hasRoomFor(ROOM) && !row.hasRoomFor(ROOM + 1));
  row.add('first', half);
  assert.ok(row.hasRoomFor(ROOM / 2));
  row.add('second', half);
  assert.ok(!row.hasRoomFor(ROOM / 2));
  row.clear();
  assert.ok(row.hasRoomFor(ROOM));
  assert.equal(row.find('first'), undefined);
});

test('an answer added again is there once', () => {
  const row = new AnswerRow(ROOM);
  for (const _ of [1, 2]) row.add('one', partsOf(1, ROOM / 2 - 10));
  assert.ok(row.hasRoomFor(ROOM / 2));
});

test('the only one there makes room for another, however often it was used', () => {
  const row = new AnswerRow(ROOM);
  row.add('first', partsOf(1, ROOM - 100));
  for (const _ of [1, 2]) assert.ok(row.find('first'));
  row.add('second', partsOf(2, ROOM - 100));
  assert.equal(row.find('first'), undefined);
  assert.equal(textOf(row, 'second', 0)?.slice(0, 2), '2:');
});
