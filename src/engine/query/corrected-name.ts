/** Corrects a misspelt text to a name that people know: "bombey" to Bombay, not to Bombej. */
import { type ClosestSpelling, closestSpelling } from '../../text/typo-matcher.ts';

export interface NameChoices {
  /** The name that results show, and the main name. */
  readonly preferred: readonly string[];
  /** Names of known language, perhaps hundreds. The most widespread come first. */
  readonly inLanguages: () => readonly string[];
  /** The name that the search matched. */
  readonly matched: string;
}

export interface MisspeltText {
  /** Folded. */
  readonly text: string;
  /** Number of typos in the search's match. */
  readonly typos: number;
  readonly isPrefix: boolean;
}

export interface CorrectedName {
  readonly name: string;
  /** The closest spelling of the name, or undefined if none is close. */
  readonly closest: ClosestSpelling | undefined;
}

const ONE_MORE_TYPO_MIN_LENGTH = 6;

/** Prefers a known name to the one that matched, in long texts even with one more typo. */
export function correctedName({ text, typos, isPrefix }: MisspeltText, choices: NameChoices): CorrectedName {
  const maxTypos = text.length >= ONE_MORE_TYPO_MIN_LENGTH ? typos + 1 : typos;
  let withOneMore: CorrectedName | undefined;
  for (const name of knownNames(choices)) {
    const closest = closestSpelling(name, text, { maxTypos, isPrefix });
    if (closest === undefined) continue;
    if (closest.typos <= typos) return { name, closest };
    withOneMore ??= { name, closest };
  }
  const name = choices.matched;
  return withOneMore ?? { name, closest: closestSpelling(name, text, { maxTypos: typos, isPrefix }) };
}

/** The names that people know. A generator, so that `inLanguages` is called only if needed. */
export function* knownNames({ preferred, inLanguages }: NameChoices): Iterable<string> {
  yield* preferred;
  yield* inLanguages();
}
