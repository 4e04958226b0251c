/** Leaves out places and names of a gazetteer, for a smaller index. */

import { type Gazetteer, type Place, type PlaceName, type Region, SEVERAL_LANGUAGES } from 'toponym-engine/place/place';
import { rejectKept } from './report.ts';

/** An undefined field leaves out nothing. */
export interface SourceFilter {
  /** A doubtful population counts, too. An unknown one is below any number. Capitals of countries stay, whatever their population. */
  readonly minPopulation?: number | undefined;
  /** ISO 3166-1 alpha-2, upper case. */
  readonly countries?: readonly string[] | undefined;
  /** Primary languages such as `zh`. */
  readonly languages?: readonly string[] | undefined;
}

/** `Place.adminRank` of a capital. */
const CAPITAL = 5;

/** Counts the places left out as rejected. */
export function filterPlaces(gazetteer: Gazetteer, filter: SourceFilter): Gazetteer {
  const languages = filter.languages && createLanguageFilter(filter.languages);
  return {
    ...gazetteer,
    // both are final only when the places are read
    get version() {
      return gazetteer.version;
    },
    get regions() {
      return languages ? gazetteer.regions.map((region) => languages.filterRegion(region)) : gazetteer.regions;
    },
    places: filtered(),
  };

  async function* filtered(): AsyncGenerator<Place> {
    const { places, report } = gazetteer;
    for await (const place of places) {
      const reason = reasonToLeaveOut(place, filter);
      if (reason === undefined) yield languages?.filterPlace(place) ?? place;
      else rejectKept(report, reason);
    }
  }
}

function reasonToLeaveOut(place: Place, { countries, minPopulation = -1 }: SourceFilter): string | undefined {
  const { country, population = place.likelyPopulation ?? -1, adminRank } = place;
  if (countries?.includes(country) === false) return 'not in --countries';
  return population < minPopulation && adminRank < CAPITAL ? 'population unknown or below --min-population' : undefined;
}

/** Unicode's names of the scripts that CLDR names together. */
const JOINT_SCRIPTS: Readonly<Record<string, readonly string[]>> = {
  Hans: ['Hani'],
  Hant: ['Hani'],
  Jpan: ['Hani', 'Hira', 'Kana'],
  Kore: ['Hang', 'Hani'],
  Latf: ['Latn'],
  Latg: ['Latn'],
};

/**
 * Leaves out names in other languages. The main name stays, and names of several languages. A name whose language is
 * unknown stays if its letters are Latin or of a script of the languages, because it may be a spelling that people
 * type: "Muenchen". Romanizations stay only where the main name is not in Latin letters.
 */
function createLanguageFilter(languages: readonly string[]) {
  const scripts = languages.map((language) => new Intl.Locale(language).maximize().script ?? 'Latn');
  const known = ['Latn', 'Zyyy', 'Zinh', ...scripts.flatMap((script) => JOINT_SCRIPTS[script] ?? [script])];
  /** Matches a letter of another script. */
  const foreign = new RegExp(`[^${known.map((script) => `\\p{sc=${script}}`).join('')}]`, 'u');
  const hasLanguage = (tag: string) => tag === SEVERAL_LANGUAGES || languages.includes(tag.split('-', 1)[0] ?? '');
  const isKept = ({ value, kind, language }: PlaceName, isMainLatin: boolean) => {
    if (language !== undefined) return hasLanguage(language);
    return !foreign.test(value) && !(kind === 'romanized' && isMainLatin);
  };
  return {
    filterPlace(place: Place): Place {
      const [main] = place.names;
      const isLatin = main !== undefined && !/[^\p{sc=Latn}\p{sc=Zyyy}\p{sc=Zinh}]/u.test(main.value);
      return { ...place, names: place.names.filter((name) => name === main || isKept(name, isLatin)) };
    },
    filterRegion({ translations, ...region }: Region): Region {
      if (translations === undefined) return region;
      return { ...region, translations: new Map([...translations].filter(([tag]) => hasLanguage(tag))) };
    },
  };
}
