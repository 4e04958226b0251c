/**
 * Chooses the name of a place that a misspelt text is corrected to: one that people know, even if
 * the search matched a rare spelling. "bombey" is Bombay, although Bombej is as close.
 */
import { type ClosestSpelling, closestSpelling } from '../../text/closest-spelling.ts';

/** The names of a place that a correction may show. */
export interface NameChoices {
  /** The name that results show, and the main name. */
  readonly preferred: readonly string[];
  /** Reads the names of known language, perhaps hundreds, the most widespread ones first. */
  readonly inLanguages: () => readonly string[];
  /** The name that the search matched. */
  readonly matched: string;
}

/** A text that a search matched with typos. */
export interface MisspeltText {
  /** Folded. */
  readonly text: string;
  readonly typos: number;
  /** Whether the text may be the start of a name. */
  readonly isPrefix: boolean;
}

export interface CorrectedName {
  readonly name: string;
  /** The spelling of the name that is closest to the text; undefined if none is close. */
  readonly closest: ClosestSpelling | undefined;
}

/** Minimum length of a text for a known name with one more typo than the name that matched. */
const ONE_MORE_TYPO_MIN_LENGTH = 6;

/**
 * The first of `knownNames` that is at least as close to the text as the name that matched; or else
 * the first with one more typo, if the text is long enough; or else the name that matched.
 */
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

/** The preferred names, then those of known language, which are read only if they are needed. */
export function* knownNames({ preferred, inLanguages }: NameChoices): Iterable<string> {
  yield* preferred;
  yield* inLanguages();
}
