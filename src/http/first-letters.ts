/**
 * Answers to the first letters of a search, kept: everyone who types a name begins with one of a few thousand of them, and
 * they are the ones that match most. Kept is all but the time an answer took. New data is a new engine, and begins anew.
 */
import type { Engine } from '../engine/engine.ts';
import type { ByteText } from './json-bytes.ts';
import type { OptionValues } from './options.ts';

const MOST_LETTERS = 3;
/** About 4 KB each, in each thread. */
const MOST_KEPT = 4096;
/** Before the time in an answer, and after it. */
const TIME_FIELD = '"processingTimeMS":';
const FIELD_END = ',';

interface KeptAnswer {
  readonly head: ByteText;
  readonly tail: ByteText;
}

const keptByEngine = new WeakMap<Engine, Map<string, KeptAnswer>>();

/** What an answer is kept by; undefined where more than the letters decides it, or there are too many. */
export function keptKey(options: OptionValues, limit: number): string | undefined {
  const { query } = options;
  if (query === undefined || query.length > MOST_LETTERS) return undefined;
  for (const name in options) if (name !== 'query' && name !== 'hitsPerPage') return undefined;
  return `${limit} ${query}`;
}

export function findKept(engine: Engine, key: string): KeptAnswer | undefined {
  return keptByEngine.get(engine)?.get(key);
}

export function withTime({ head, tail }: KeptAnswer, processingTimeMS: number): ByteText {
  return `${head}${processingTimeMS}${tail}`;
}

export function keepAnswer(engine: Engine, key: string, answer: ByteText): void {
  let kept = keptByEngine.get(engine);
  if (kept === undefined) {
    kept = new Map();
    keptByEngine.set(engine, kept);
  }
  if (kept.size === MOST_KEPT) kept.clear();
  const timeStart = answer.lastIndexOf(TIME_FIELD) + TIME_FIELD.length;
  const timeEnd = answer.indexOf(FIELD_END, timeStart);
  kept.set(key, { head: answer.slice(0, timeStart), tail: answer.slice(timeEnd) });
}
