/**
 * A universal automaton for typing errors: insertion, deletion, substitution, and transposition of neighbours, each
 * counting one. Its states do not depend on the word sought, so its tables are computed once; a word is only turned
 * into bit masks that say where in it each letter stands.
 *
 * A state is a set of positions (offset in the word relative to the state's base, errors so far). Reading a letter
 * takes the bits of that letter in the next `window` letters of the word and gives the next state and how far the
 * base moves on. Every position is shown to be needed: those that another one covers are dropped.
 */
export interface TypoAutomaton {
  readonly maxTypos: number;
  /** How many letters of the word, from the base on, decide a step. */
  readonly window: number;
  /** next[state << window | bits] = state << 3 | shift, or DEAD. */
  readonly next: Uint16Array;
  /** The fewest errors of any way the state stands for. */
  readonly fewest: Uint8Array;
  /** Where no more errors are allowed: bits of the letters ahead that alone lead on; 0 where any letter may. */
  readonly wanted: Uint8Array;
  /** Of those, the letters that are wanted as the first of two swapped ones, the second having been read. */
  readonly swapped: Uint8Array;
  /** consumed[state << 3 | rest]: fewest errors with which all `rest` letters are used up, or MANY. */
  readonly consumed: Uint8Array;
  /** ended[state << 3 | rest]: the same if nothing more is read, the letters left over counting as errors. */
  readonly ended: Uint8Array;
}

export const DEAD = 0xffff;
export const MANY = 0xff;
/** `consumed` and `ended` know up to this many letters left; with more, neither can be reached. */
export const MAX_REST = 7;
export const START = 0;

interface Position {
  readonly offset: number;
  readonly typos: number;
  /** Read the second of two letters; the first must follow. */
  readonly isSwapping: boolean;
}

export function createTypoAutomaton(maxTypos: number): TypoAutomaton {
  const window = 2 * maxTypos + 2;
  const states = new Map<string, number>();
  const sets: Position[][] = [];
  const numberOf = (set: Position[]): number => {
    const key = set.map(({ offset, typos, isSwapping }) => `${offset}:${typos}:${isSwapping}`).join();
    let number = states.get(key);
    if (number === undefined) {
      number = sets.push(set) - 1;
      states.set(key, number);
    }
    return number;
  };
  numberOf([{ offset: 0, typos: 0, isSwapping: false }]);
  const next: number[] = [];
  for (let state = 0; state < sets.length; state++) {
    for (let bits = 0; bits < 1 << window; bits++) {
      const after = stepAll(sets[state] as Position[], bits, maxTypos);
      const shift = Math.min(...after.map(({ offset }) => offset));
      next.push(after.length === 0 ? DEAD : (numberOf(shifted(after, shift)) << 3) | shift);
    }
  }
  return {
    maxTypos,
    window,
    next: Uint16Array.from(next),
    fewest: Uint8Array.from(sets, (set) => Math.min(...set.map(({ typos }) => typos))),
    wanted: Uint8Array.from(sets, (set) => (isSpent(set, maxTypos) ? bitsOf(set) : 0)),
    swapped: Uint8Array.from(sets, (set) =>
      isSpent(set, maxTypos) ? bitsOf(set.filter(({ isSwapping }) => isSwapping)) : 0,
    ),
    consumed: endings(sets, ({ offset, typos }, rest) => (offset === rest ? typos : MANY)),
    ended: endings(sets, ({ offset, typos }, rest) => {
      const total = typos + rest - offset;
      return offset <= rest && total <= maxTypos ? total : MANY;
    }),
  };
}

/** Whether no more errors are allowed. */
function isSpent(set: readonly Position[], maxTypos: number): boolean {
  return set.every(({ typos }) => typos === maxTypos);
}

function bitsOf(set: readonly Position[]): number {
  return set.reduce((bits, { offset }) => bits | (1 << offset), 0);
}

function stepAll(set: readonly Position[], bits: number, maxTypos: number): Position[] {
  const reached: Position[] = [];
  for (const position of set) reached.push(...step(position, bits, maxTypos));
  return reached
    .filter(
      (position, i) =>
        !reached.some((other, j) => covers(other, position) && i !== j && (!covers(position, other) || j < i)),
    )
    .sort((a, b) => a.offset - b.offset || a.typos - b.typos || Number(a.isSwapping) - Number(b.isSwapping));
}

function* step({ offset, typos, isSwapping }: Position, bits: number, maxTypos: number): Iterable<Position> {
  const isMatch = (at: number) => ((bits >> at) & 1) === 1;
  if (isSwapping) {
    if (isMatch(offset)) yield { offset: offset + 2, typos, isSwapping: false };
    return;
  }
  if (isMatch(offset)) yield { offset: offset + 1, typos, isSwapping: false };
  if (typos === maxTypos) return;
  yield { offset, typos: typos + 1, isSwapping: false };
  yield { offset: offset + 1, typos: typos + 1, isSwapping: false };
  if (isMatch(offset + 1)) yield { offset, typos: typos + 1, isSwapping: true };
  for (let skipped = 1; typos + skipped <= maxTypos; skipped++) {
    if (isMatch(offset + skipped)) yield { offset: offset + skipped + 1, typos: typos + skipped, isSwapping: false };
  }
}

/** Whether whatever `b` can still reach, `a` reaches with no more errors. */
function covers(a: Position, b: Position): boolean {
  if (a.isSwapping) return b.isSwapping && a.offset === b.offset && a.typos <= b.typos;
  if (b.isSwapping) return a.typos < b.typos && Math.abs(b.offset - a.offset) <= b.typos - a.typos - 1;
  return Math.abs(b.offset - a.offset) <= b.typos - a.typos;
}

function shifted(set: readonly Position[], shift: number): Position[] {
  return set.map((position) => ({ ...position, offset: position.offset - shift }));
}

function endings(sets: readonly Position[][], cost: (position: Position, rest: number) => number): Uint8Array {
  const table = new Uint8Array(sets.length << 3).fill(MANY);
  sets.forEach((set, state) => {
    for (let rest = 0; rest <= MAX_REST; rest++) {
      const costs = set.filter(({ isSwapping }) => !isSwapping).map((position) => cost(position, rest));
      table[(state << 3) | rest] = Math.min(MANY, ...costs);
    }
  });
  return table;
}
