/** Flags and arguments whose values are a fixed list, which the code that checks them also uses. */
import { GEONAMES_SETS } from '../../datasets/geonames-plan.ts';
import { REVERSE_MODES } from '../../engine/engine.ts';
import { PLACE_TYPES } from '../../place/place.ts';
import { SOURCE_FORMATS } from '../../sources/source-format.ts';
import { COPY_SOURCES, COPY_TARGETS } from '../commands/keys-command.ts';
import { LOG_LEVELS } from '../settings/settings.ts';
import type { CompletedValue } from './completed-command.ts';
import { SHELLS } from './shells.ts';

interface FixedList {
  /** A flag of every command, or of one: `update --from`. An argument is in angle brackets. */
  readonly where: string;
  readonly values: readonly string[];
  /** Whether several values may be separated by commas. */
  readonly isList?: boolean;
}

export const FIXED_LISTS: readonly FixedList[] = [
  { where: '--type', values: PLACE_TYPES, isList: true },
  { where: '--mode', values: REVERSE_MODES },
  { where: '--typo-tolerance', values: ['true', 'false'] },
  { where: '--log-level', values: LOG_LEVELS },
  { where: '--redis-mode', values: ['standalone', 'cluster'] }, // and sentinel:NAME
  { where: '--set', values: GEONAMES_SETS },
  { where: 'build --from', values: SOURCE_FORMATS },
  { where: 'update --from', values: ['geonames'] },
  { where: 'keys copy --from', values: COPY_SOURCES },
  { where: 'keys copy --to', values: COPY_TARGETS },
  { where: 'completion <shell>', values: SHELLS },
];

/** `name`: a flag, or an argument in angle brackets. */
export function fixedValues(path: string, name: string): CompletedValue | undefined {
  const found = FIXED_LISTS.find(({ where }) => where === `${path} ${name}` || where === name);
  return found && { kind: 'values', values: found.values, isList: found.isList ?? false };
}
