/** The selected place. */
import type { FullRecord, Hit, PlaceRecord } from '../../packages/client/src/client.ts';
import type { Child } from '../../packages/client/src/element/dom.ts';
import { flag } from '../../packages/client/src/element/hit-line.ts';
import { byId, element } from './dom.ts';
import { distanceText, fullNumber, pointText } from './place-text.ts';

/** Without the hit's confidence: the user has said that this is the place meant. */
type ShownPlace = PlaceRecord & Partial<Pick<Hit, 'matchCode' | 'distance'>>;

export interface PlacePanel {
  show(place: ShownPlace): void;
  /** Adds the names, if their place is still shown. */
  addNames(record: FullRecord): void;
  hide(): void;
}

const MATCH_CODES: Readonly<Record<string, string>> = {
  exact: 'the text is its name',
  alias: 'the text is another name of it',
  ambiguous: 'others have this name, too',
  corrected: 'the text is misspelt',
  partial: 'the text is a part of its name, or says more',
  region: 'the text is its region',
};

export function createPlacePanel(): PlacePanel {
  const panel = byId('place');
  let shownId: string | undefined;
  return {
    show: (place) => {
      shownId = place.objectID;
      panel.replaceChildren(heading(place), factList(place));
      panel.hidden = false;
    },
    addNames: (record) => {
      if (record.objectID === shownId) panel.append(names(record));
    },
    hide: () => {
      shownId = undefined;
      panel.hidden = true;
      panel.replaceChildren();
    },
  };
}

function heading({ name, label, country_code: code }: ShownPlace): HTMLElement {
  return element('header', {}, element('h2', { id: 'place-name' }, name), element('p', {}, flag(code), ' ', label));
}

function factList(place: ShownPlace): HTMLElement {
  const { type, population, timezone, _geoloc, matchCode, distance, administrative, county } = place;
  const facts: [string, Child][] = [
    ['Type', type],
    ['Population', population === undefined ? 'unknown' : fullNumber(population)],
    ['Regions', [...new Set([...county, ...administrative, place.country])].join(', ')],
    ['Coordinates', element('span', { class: 'code' }, pointText(_geoloc))],
    ['Time zone', timezone && `${timezone}${timeIn(timezone)}`],
    ['Distance', distance === undefined ? undefined : distanceText(distance)],
    ['Match', matchCode && `${matchCode}: ${MATCH_CODES[matchCode]}`],
    ['Identifier', element('span', { class: 'code' }, place.objectID)],
  ];
  const known = facts.filter(([, value]) => value !== undefined);
  return element(
    'dl',
    {},
    ...known.map(([name, value]) => element('div', {}, element('dt', {}, name), element('dd', {}, value))),
  );
}

/** The time of day there; empty if the browser does not know the time zone. */
function timeIn(timeZone: string): string {
  try {
    return `, now ${new Intl.DateTimeFormat('en-GB', { timeZone, timeStyle: 'short' }).format(new Date())}`;
  } catch {
    return '';
  }
}

function names({ names: namesByLanguage }: FullRecord): HTMLElement {
  const languages = Object.keys(namesByLanguage).filter((tag) => tag !== 'und');
  const languageNames = new Intl.DisplayNames('en', { type: 'language' });
  const rows = languages
    .map((tag) => [nameOfLanguage(languageNames, tag), tag, namesByLanguage[tag]?.join(', ') ?? ''] as const)
    .sort(([a], [b]) => a.localeCompare(b));
  return element(
    'details',
    { class: 'names' },
    element('summary', {}, `Names in ${languages.length} languages`),
    element(
      'dl',
      {},
      ...rows.map(([language, lang, text]) =>
        element('div', {}, element('dt', {}, language), element('dd', { lang }, element('bdi', {}, text))),
      ),
    ),
  );
}

function nameOfLanguage(languageNames: Intl.DisplayNames, tag: string): string {
  try {
    return languageNames.of(tag) ?? tag;
  } catch {
    return tag;
  }
}
