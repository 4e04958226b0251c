/** Selects names of divisions and countries from their rows in alternateNamesV2.txt. */
import type { Translations } from '../../place/place.ts';
import { firstNameByLanguage } from '../regions/regions.ts';
import { type AlternateName, ORDER } from './alternate-row.ts';

/** Names to search by. Codes and historic names would be ambiguous. */
export function regionAliases(names: readonly AlternateName[]): string[] {
  return names.filter(isAlternate).map(({ value }) => value);
}

/** Names to show: in each language the main name, else a preferred, plain or short one. */
export function regionTranslations(names: readonly AlternateName[], mainName: string): Translations {
  const rank = (name: AlternateName) => (name.value === mainName ? -1 : orderOf(name));
  const shown = names.filter((name) => isAlternate(name) && name.order < ORDER.colloquial);
  return firstNameByLanguage(shown.sort((a, b) => rank(a) - rank(b)));
}

/** A preferred name comes first even if it is short: California, not State of California. */
function orderOf({ order }: AlternateName): number {
  const isPreferred = (order & ORDER.notPreferred) === 0;
  return isPreferred ? 0 : order;
}

function isAlternate({ kind }: AlternateName): boolean {
  return kind === 'alternate';
}
