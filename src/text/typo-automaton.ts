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

/**
 * A position as one number, so that every start of the program can afford the tables: `offset << 3 | typos << 1 |
 * isSwapping`, the last set where the second of two letters was read and the first must follow. Their order as numbers
 * is the order in a set.
 */
type Position = number;
const OFFSET_ONE = 1 << 3;
const TYPO_ONE = 1 << 1;
const SWAPPING = 1;

export function createTypoAutomaton(maxTypos: number): TypoAutomaton {
  const window = 2 * maxTypos + 2;
  const states = new Map<string, number>();
  const sets: Position[][] = [];
  const numberOf = (set: Position[]): number => {
    const key = String.fromCharCode(...set);
    let number = states.get(key);
    if (number === undefined) {
      number = sets.push(set) - 1;
      states.set(key, number);
    }
    return number;
  };
  numberOf([0]);
  const next: number[] = [];
  for (let state = 0; state < sets.length; state++) {
    for (let bits = 0; bits < 1 << window; bits++) {
      const after = stepAll(sets[state] as Position[], bits, maxTypos);
      // in order: the first has the least offset
      const shift = offsetOf(after[0] ?? 0);
      next.push(after.length === 0 ? DEAD : (numberOf(shifted(after, shift)) << 3) | shift);
    }
  }
  return {
    maxTypos,
    window,
    next: Uint16Array.from(next),
    fewest: Uint8Array.from(sets, (set) => Math.min(...set.map(typosOf))),
    wanted: Uint8Array.from(sets, (set) => (isSpent(set, maxTypos) ? bitsOf(set) : 0)),
    swapped: Uint8Array.from(sets, (set) => (isSpent(set, maxTypos) ? bitsOf(set.filter(isSwapping)) : 0)),
    consumed: endings(sets, (position, rest) => (offsetOf(position) === rest ? typosOf(position) : MANY)),
    ended: endings(sets, (position, rest) => {
      const total = typosOf(position) + rest - offsetOf(position);
      return offsetOf(position) <= rest && total <= maxTypos ? total : MANY;
    }),
  };
}

/** Whether no more errors are allowed. */
function isSpent(set: readonly Position[], maxTypos: number): boolean {
  return set.every((position) => typosOf(position) === maxTypos);
}

function bitsOf(set: readonly Position[]): number {
  return set.reduce((bits, position) => bits | (1 << offsetOf(position)), 0);
}

function stepAll(set: readonly Position[], bits: number, maxTypos: number): Position[] {
  const reached: Position[] = [];
  for (const position of set) stepInto(reached, position, { bits, maxTypos });
  return reached.sort((a, b) => a - b);
}

function stepInto(reached: Position[], position: Position, read: { bits: number; maxTypos: number }): void {
  const typos = typosOf(position);
  /** Whether the letter read stands at the offset, one after it, … */
  const ahead = read.bits >> offsetOf(position);
  const isMatch = (ahead & 1) === 1;
  if (isSwapping(position)) {
    if (isMatch) addInto(reached, (position & ~SWAPPING) + 2 * OFFSET_ONE);
    return;
  }
  if (isMatch) addInto(reached, position + OFFSET_ONE);
  if (typos === read.maxTypos) return;
  addInto(reached, position + TYPO_ONE);
  addInto(reached, position + OFFSET_ONE + TYPO_ONE);
  if (((ahead >> 1) & 1) === 1) addInto(reached, (position + TYPO_ONE) | SWAPPING);
  for (let skipped = 1; typos + skipped <= read.maxTypos; skipped++) {
    if (((ahead >> skipped) & 1) === 1) addInto(reached, position + (skipped + 1) * OFFSET_ONE + skipped * TYPO_ONE);
  }
}

/** Unless one that is there covers it; it takes the place of those that it covers. */
function addInto(reached: Position[], position: Position): void {
  let kept = 0;
  for (let i = 0; i < reached.length; i++) {
    const other = reached[i] as Position;
    // covering is transitive, so nothing has been dropped before this is found
    if (covers(other, position)) return;
    if (!covers(position, other)) reached[kept++] = other;
  }
  reached.length = kept;
  reached.push(position);
}

/** Whether whatever `b` can still reach, `a` reaches with no more errors. */
function covers(a: Position, b: Position): boolean {
  const typosLeft = typosOf(b) - typosOf(a);
  const distance = Math.abs(offsetOf(b) - offsetOf(a));
  if (isSwapping(a)) return isSwapping(b) && distance === 0 && typosLeft >= 0;
  return isSwapping(b) ? typosLeft > 0 && distance <= typosLeft - 1 : distance <= typosLeft;
}

function offsetOf(position: Position): number {
  return position >> 3;
}

function typosOf(position: Position): number {
  return (position >> 1) & 3;
}

function isSwapping(position: Position): boolean {
  return (position & SWAPPING) !== 0;
}

function shifted(set: readonly Position[], shift: number): Position[] {
  return set.map((position) => position - shift * OFFSET_ONE);
}

function endings(sets: readonly Position[][], cost: (position: Position, rest: number) => number): Uint8Array {
  const table = new Uint8Array(sets.length << 3).fill(MANY);
  sets.forEach((set, state) => {
    const settled = set.filter((position) => !isSwapping(position));
    for (let rest = 0; rest <= MAX_REST; rest++) {
      for (const position of settled) {
        const at = (state << 3) | rest;
        table[at] = Math.min(table[at] as number, cost(position, rest));
      }
    }
  });
  return table;
}
