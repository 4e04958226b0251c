/** The flag of a country: an emoji, or the country's code if the fonts have no flags. */
import { element } from './dom.ts';
import { flagOf } from './hit-text.ts';

let hasFlags: boolean | undefined;

/** Hidden from screen readers, which read the country's name. */
export function flag(countryCode: string): HTMLElement {
  hasFlags ??= canDrawFlags();
  return element(
    'span',
    { class: hasFlags ? 'flag' : 'flag-code', 'aria-hidden': 'true' },
    hasFlags ? flagOf(countryCode) : countryCode.toUpperCase(),
  );
}

/** A font with flags draws the two letters of a flag as one. */
function canDrawFlags(): boolean {
  const context = element('canvas').getContext('2d');
  const widthOf = (text: string) => context?.measureText(text).width ?? 0;
  return widthOf(flagOf('fr')) < 1.5 * widthOf('\u{1f1eb}');
}
