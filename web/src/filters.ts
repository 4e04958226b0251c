/** The filters. They show a state of the page and report the changes of it. */
import { createCountryFilter } from './country-filter.ts';
import { byId, element } from './dom.ts';
import { type Near, type PageState, PLACE_TYPES } from './page-state.ts';
import { distanceText, pointText } from './place-text.ts';

export type FilterChange = Partial<Pick<PageState, 'types' | 'countries' | 'language' | 'near' | 'radiusMeters'>>;

export interface Filters {
  show(state: PageState): void;
  /** Whether the middle of the map is offered as the point. */
  offerMapCenter(isOffered: boolean): void;
}

const LANGUAGES = ['en', 'de', 'es', 'fr', 'pt', 'ru', 'ar', 'hi', 'zh', 'ja', 'ko'];
const RADII_METERS = [5_000, 25_000, 100_000, 500_000];

export function createFilters(onChanged: (change: FilterChange) => void): Filters {
  const types = PLACE_TYPES.map((type) => element('input', { type: 'checkbox', value: type }));
  byId('types').append(...types.map((box) => element('label', {}, box, element('span', {}, box.value))));
  byId('types').addEventListener('change', () => {
    onChanged({ types: PLACE_TYPES.filter((_, i) => types[i]?.checked) });
  });
  const countries = createCountryFilter((codes) => onChanged({ countries: codes }));
  const language = createChoice(byId('language'), [['', 'as usual'], ...LANGUAGES.map(ownName)], (value) =>
    onChanged({ language: value }),
  );
  const near = createChoice(byId('near'), [NOWHERE, ['ip', 'my IP address']], (value) =>
    onChanged({ near: nearOf(value) }),
  );
  const radius = createChoice(byId('radius'), [undefined, ...RADII_METERS].map(radiusOption), (value) =>
    onChanged({ radiusMeters: Number(value) || undefined }),
  );
  let point: Near | undefined;
  const nearOf = (value: string): Near | undefined => {
    if (value === 'ip' || value === 'center') return value;
    return value === '' ? undefined : point;
  };
  return {
    offerMapCenter: (isOffered) => {
      if (isOffered) near.add(['center', "the map's centre"]);
      else near.remove('center');
    },
    show: (state) => {
      point = state.near;
      for (const box of types) box.checked = state.types.some((type) => type === box.value);
      countries.show(state.countries);
      language.show(state.language);
      near.remove('point');
      if (typeof point === 'object') near.show('point', pointText(point));
      else near.show(point ?? '');
      radius.show(...radiusOption(state.radiusMeters));
      byId('radius').hidden = point === undefined;
      byId('filter-summary').textContent = summaryOf(state) || 'type, country, language, nearness';
    },
  };
}

const NOWHERE: Option = ['', 'nowhere in particular'];

function radiusOption(meters: number | undefined): Option {
  return meters === undefined ? ['', 'any distance'] : [`${meters}`, distanceText(meters)];
}

/** A language in that language, such as Deutsch. */
function ownName(tag: string): Option {
  return [tag, new Intl.DisplayNames(tag, { type: 'language' }).of(tag) ?? tag];
}

function summaryOf({ types, countries, language, near }: PageState): string {
  const point =
    near === 'ip' ? 'near my IP address' : near === 'center' ? "near the map's centre" : near && 'near a point';
  return [types.join(', '), countries.join(', ').toUpperCase(), language, point].filter(Boolean).join(' · ');
}

type Option = readonly [value: string, text: string];

interface Choice {
  /** Selects a value. If it is new, it gets a button. */
  show(value: string, text?: string): void;
  add(option: Option): void;
  remove(value: string): void;
}

/** A choice of one value, as radio buttons. */
function createChoice(group: HTMLElement, options: readonly Option[], onChanged: (value: string) => void): Choice {
  const buttons = new Map<string, HTMLInputElement>();
  const add = ([value, text]: Option) => {
    const button = element('input', { type: 'radio', name: group.id, value });
    buttons.set(value, button);
    group.append(element('label', {}, button, element('span', {}, text)));
    return button;
  };
  for (const option of options) add(option);
  group.addEventListener('change', ({ target }) => onChanged((target as HTMLInputElement).value));
  return {
    add,
    remove: (value) => {
      buttons.get(value)?.parentElement?.remove();
      buttons.delete(value);
    },
    show: (value, text = value) => {
      const button = buttons.get(value) ?? add([value, text]);
      button.checked = true;
    },
  };
}
