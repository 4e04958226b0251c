/** A hit in two lines. Its texts are isolated, because their direction may differ from the page's. */
import type { Hit } from '../api-types.ts';
import { type Child, element, spoken } from './dom.ts';
import { flagOf, highlightParts, shortNumber, typedLength } from './hit-text.ts';
import type { SearchTexts } from './texts.ts';

interface LineOptions {
  /** What the user typed. */
  readonly typed?: string | undefined;
  /** Shown at the end of the first line. */
  readonly end?: Node | undefined;
  /** A CSS part, so that a page can mark the line. */
  readonly part?: string | false;
}

export function hitLine(hit: Hit, texts: SearchTexts, { typed = '', end, part }: LineOptions = {}): HTMLElement {
  return element(
    'span',
    { class: 'hit-line', part },
    flag(hit.country_code),
    element('span', { class: 'hit-label', part: 'label' }, element('bdi', {}, ...labelParts(hit))),
    end,
    element('span', { class: 'hit-facts', part: 'facts' }, spoken(', '), ...factsOf(hit, texts, typed)),
  );
}

function labelParts({ label, name, _highlightResult }: Hit): Child[] {
  if (!label.startsWith(name)) return [label];
  const nameParts = highlightParts(_highlightResult.name.value).map((text, i) => (i % 2 === 1 ? match(text) : text));
  return [...nameParts, element('span', { class: 'hit-region', part: 'region' }, label.slice(name.length))];
}

function factsOf({ type, population, matchedName }: Hit, texts: SearchTexts, typed: string): Child[] {
  const facts: Child[][] = [[texts.types[type] ?? type]];
  if (population !== undefined) facts.push([texts.people(shortNumber(population, texts.locale))]);
  const alias = matchedName?.value ?? '';
  if (alias !== '') {
    const length = typedLength(alias, typed); // 0 for "muenchen", which found München
    const [before, after] = texts.alias('\n').split('\n'); // the name may occur in the text around it
    facts.push([
      before,
      element('bdi', {}, length > 0 ? match(alias.slice(0, length)) : undefined, alias.slice(length)),
      after,
    ]);
  }
  const dir = /^(ar|fa|he|ur)\b/.test(texts.locale) ? 'rtl' : 'ltr'; // a name or number may come first
  return facts.flatMap((fact, i) => [i === 0 ? '' : ' · ', element('bdi', { dir }, ...fact)]);
}

function match(text: string): HTMLElement {
  return element('mark', { part: 'match' }, text);
}

let hasFlags: boolean | undefined;

/**
 * The flag of a country: an emoji, or the country's code if the fonts have no flags. Hidden from screen
 * readers, which read the country's name.
 */
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
