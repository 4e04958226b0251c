import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTypoAutomaton, DEAD, MANY, MAX_REST, START } from '../../src/text/typo-automaton.ts';
import { editDistance } from '../support/edit-distance.ts';
import { seededRandom } from '../support/seeded-random.ts';

for (const maxTypos of [1, 2]) {
  test(`up to ${maxTypos}: errors counted are those of a full table, on 30,000 random pairs of words`, () => {
    const automaton = createTypoAutomaton(maxTypos);
    const random = seededRandom(maxTypos);
    const word = (length: number) => Array.from({ length }, () => 'abc'[random(3)]).join('');
    for (let round = 0; round < 30_000; round++) {
      const sought = word(1 + random(9));
      const read = word(random(12));
      const distance = editDistance(sought, read);
      assert.equal(run(automaton, sought, read), distance <= maxTypos ? distance : MANY, `${sought} / ${read}`);
    }
  });
}

test('a swap of neighbours is one error', () => {
  assert.equal(run(createTypoAutomaton(1), 'birstol', 'bristol'), 1);
});

function run(automaton: ReturnType<typeof createTypoAutomaton>, sought: string, read: string): number {
  let state = START;
  let base = 0;
  for (const letter of read) {
    let bits = 0;
    for (let i = 0; i < automaton.window; i++) if (sought[base + i] === letter) bits |= 1 << i;
    const next = automaton.next[(state << automaton.window) | bits] ?? DEAD;
    if (next === DEAD) return MANY;
    state = next >> 3;
    base += next & 7;
  }
  const rest = sought.length - base;
  return rest < 0 || rest > MAX_REST ? MANY : (automaton.ended[(state << 3) | rest] ?? MANY);
}
