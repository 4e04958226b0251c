/** The filter of countries: a field that finds a country by name or code, and the chosen ones. */
import { flag } from '../../packages/client/src/element/hit-line.ts';
import { byId, element } from './dom.ts';

export interface CountryFilter {
  show(codes: readonly string[]): void;
}

const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];

export function createCountryFilter(onChanged: (codes: readonly string[]) => void): CountryFilter {
  const input = byId<HTMLInputElement>('country');
  const list = byId('countries');
  const nameOf = countryNames();
  let chosen: readonly string[] = [];

  /** By code, by name, or by the beginning of the name. */
  const codeOf = (text: string) => {
    const wanted = text.trim().toLowerCase();
    const countries = [...nameOf].map(([code, name]) => [code, name.toLowerCase()] as const);
    const found =
      countries.find(([code, name]) => code === wanted || name === wanted) ??
      countries.find(([, name]) => name.startsWith(wanted));
    return wanted === '' ? undefined : found?.[0];
  };
  input.addEventListener('input', () => input.removeAttribute('aria-invalid'));
  // Enter, or leaving the field
  input.addEventListener('change', () => {
    const code = codeOf(input.value);
    if (code === undefined) {
      if (input.value.trim() !== '') input.setAttribute('aria-invalid', 'true');
      return;
    }
    input.value = '';
    if (!chosen.includes(code)) onChanged([...chosen, code]);
  });
  return {
    show: (codes) => {
      chosen = codes;
      list.replaceChildren(
        ...codes.map((code) => chip(code, nameOf.get(code) ?? code, () => onChanged(chosen.filter((c) => c !== code)))),
      );
      input.placeholder = codes.length === 0 ? 'any: type a name or a code' : 'and…';
    },
  };
}

function chip(code: string, name: string, onRemoved: () => void): HTMLElement {
  const button = element(
    'button',
    { type: 'button', 'aria-label': `Remove ${name}` },
    element('span', { 'aria-hidden': 'true' }, flag(code), ` ${name} ×`),
  );
  button.addEventListener('click', onRemoved);
  return element('li', {}, button);
}

/** English names by code in lower case, as the browser knows them. */
function countryNames(): Map<string, string> {
  const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
  const codes = LETTERS.flatMap((first) => LETTERS.map((second) => first + second));
  const known = codes.flatMap((code) => {
    const name = isRetired(code) ? undefined : names.of(code);
    return name === undefined ? [] : ([[code.toLowerCase(), name]] as const);
  });
  return new Map(known);
}

/** Codes of former countries stand for their successors, such as DD for DE. */
function isRetired(code: string): boolean {
  return code === 'ZZ' || new Intl.Locale(`und-${code}`).region !== code;
}
