/** The filters. They show a state of the page and report the changes of it. */
import { createCountryFilter } from './country-filter.ts';
import { byId, element } from './dom.ts';
import { type Near, type PageState, PLACE_TYPES } from './page-state.ts';
import { distanceText, pointText } from './place-text.ts';

export type FilterChange = Partial<Pick<PageState, 'types' | 'countries' | 'language' | 'near' | 'radiusMeters'>>;

export interface Filters {
  show(state: PageState): void;
  /** Offers the middle of the map as the point. */
  addMapCenter(): void;
}

const LANGUAGES = 'ar cs da de el en es fa fi fr he hi hu id it ja ko nl no pl pt ro ru sv th tr uk vi zh zh-TW'.split(
  ' ',
);
const RADII_METERS = [5_000, 25_000, 100_000, 500_000];

export function createFilters(onChanged: (change: FilterChange) => void): Filters {
  const near = byId<HTMLSelectElement>('near');
  const language = byId<HTMLSelectElement>('language');
  const radius = byId<HTMLSelectElement>('radius');
  const types = PLACE_TYPES.map((type) => element('input', { type: 'checkbox', value: type }));
  byId('types').append(...types.map((box) => element('label', {}, box, element('span', {}, box.value))));
  language.append(option('', 'as usual'), ...LANGUAGES.map((tag) => option(tag, ownName(tag))));
  near.append(option('', 'nowhere in particular'), option('ip', 'my IP address'));
  radius.append(option('', 'any distance'), ...RADII_METERS.map((meters) => option(`${meters}`, distanceText(meters))));
  const countries = createCountryFilter((codes) => onChanged({ countries: codes }));
  let point: Near | undefined;

  byId('types').addEventListener('change', () => {
    onChanged({ types: PLACE_TYPES.filter((_, i) => types[i]?.checked) });
  });
  language.addEventListener('change', () => onChanged({ language: language.value }));
  radius.addEventListener('change', () => onChanged({ radiusMeters: Number(radius.value) || undefined }));
  near.addEventListener('change', () => {
    const { value } = near;
    onChanged({ near: value === 'point' ? point : value === 'ip' || value === 'center' ? value : undefined });
  });
  return {
    addMapCenter: () => near.append(option('center', "the map's centre")),
    show: (state) => {
      point = state.near;
      for (const box of types)
        box.checked = PLACE_TYPES.some((type) => type === box.value && state.types.includes(type));
      countries.show(state.countries);
      selectValue(language, state.language, state.language);
      near.querySelector('[value=point]')?.remove();
      if (typeof state.near === 'object') near.append(option('point', pointText(state.near)));
      near.value = typeof state.near === 'object' ? 'point' : (state.near ?? '');
      const meters = state.radiusMeters;
      selectValue(radius, meters === undefined ? '' : `${meters}`, meters === undefined ? '' : distanceText(meters));
      byId('radius-field').hidden = state.near === undefined;
      byId('filter-summary').textContent = summaryOf(state) || 'type, country, language, nearness';
    },
  };
}

/** Adds the value if the list lacks it, because a URL may have any. */
function selectValue(select: HTMLSelectElement, value: string, text: string): void {
  if (![...select.options].some((each) => each.value === value)) select.append(option(value, text));
  select.value = value;
}

function summaryOf({ types, countries, language, near }: PageState): string {
  const point =
    near === 'ip' ? 'near my IP address' : near === 'center' ? "near the map's centre" : near && 'near a point';
  return [types.join(', '), countries.join(', ').toUpperCase(), language, point].filter(Boolean).join(' · ');
}

function option(value: string, text: string): HTMLOptionElement {
  return element('option', { value }, text);
}

/** A language in that language, such as Deutsch. */
function ownName(tag: string): string {
  return new Intl.DisplayNames(tag, { type: 'language' }).of(tag) ?? tag;
}
