/** The flag of a country: an emoji, or the country's code if the fonts have no flags. */
import { element } from './dom.ts';
import { flagOf } from './hit-text.ts';

const SIZE = 16;

let hasFlags: boolean | undefined;

/** Hidden from screen readers, which read the country's name. */
export function flag(countryCode: string): HTMLElement {
  hasFlags ??= canDrawFlags();
  return hasFlags
    ? element('span', { class: 'flag', 'aria-hidden': 'true' }, flagOf(countryCode))
    : element('span', { class: 'flag-code', 'aria-hidden': 'true' }, countryCode.toUpperCase());
}

/** Flags have colours. Letters and the boxes of missing characters are black. */
function canDrawFlags(): boolean {
  const canvas = element('canvas', { width: `${SIZE}`, height: `${SIZE}` });
  const context = canvas.getContext('2d', { willReadFrequently: true });
  if (context === null) return false;
  context.font = `${SIZE}px sans-serif`;
  context.textBaseline = 'top';
  context.fillText(flagOf('fr'), 0, 0);
  const { data } = context.getImageData(0, 0, SIZE, SIZE);
  return data.some((value, i) => i % 4 < 3 && value > 100);
}
