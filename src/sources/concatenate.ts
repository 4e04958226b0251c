/**
 * Several gazetteers as one, one after the other. An id that was there already is refused; that two
 * sources have the same settlement under ids of their own is for the builder to see.
 */
import type { Country, Gazetteer, SourceReport } from '../place/gazetteer.ts';
import type { Place, Region } from '../place/place.ts';
import { PlaceIds } from './place-ids.ts';
import { createReport } from './report.ts';

/** Version, regions and report are complete once the places have been read. */
export function concatenate(gazetteers: readonly Gazetteer[]): Gazetteer {
  const report = createReport();
  return {
    get version() {
      return gazetteers.map(({ version }) => version).join('+');
    },
    attribution: [...new Set(gazetteers.flatMap(({ attribution }) => attribution))],
    countries: joinCountries(gazetteers),
    get regions() {
      return joinRegions(gazetteers);
    },
    places: readAll(gazetteers, report),
    report,
  };
}

async function* readAll(gazetteers: readonly Gazetteer[], report: SourceReport): AsyncGenerator<Place> {
  const ids = new PlaceIds();
  for (const gazetteer of gazetteers) {
    for await (const place of gazetteer.places) {
      if (ids.add(place.id)) yield place;
      else moveToRejected(gazetteer, place);
    }
    addReport(gazetteer.report, report);
  }
}

/** The source itself had counted it as kept. */
function moveToRejected({ report, version }: Gazetteer, place: Place): void {
  const reason = 'id of a place in an earlier source';
  const entry = report.rejected.get(reason) ?? { count: 0, samples: [] };
  report.rejected.set(reason, entry);
  entry.count++;
  report.rowsKept--;
  if (entry.samples.length < 5) entry.samples.push(`${version}: ${place.id} ${place.names[0]?.value ?? ''}`);
}

function addReport(part: SourceReport, whole: SourceReport): void {
  whole.rowsRead += part.rowsRead;
  whole.rowsKept += part.rowsKept;
  for (const [reason, { count, samples }] of part.rejected) {
    const entry = whole.rejected.get(reason) ?? { count: 0, samples: [] };
    entry.count += count;
    entry.samples.push(...samples);
    whole.rejected.set(reason, entry);
  }
}

function joinCountries(gazetteers: readonly Gazetteer[]): Country[] {
  const joined = new Map<string, Country>();
  for (const country of gazetteers.flatMap(({ countries }) => countries)) {
    const known = joined.get(country.code);
    if (known === undefined) joined.set(country.code, country);
    else joined.set(country.code, { ...known, aliases: [...new Set([...known.aliases, ...country.aliases])] });
  }
  return [...joined.values()];
}

/** Of two with one key the first is kept, with the other names of both. */
function joinRegions(gazetteers: readonly Gazetteer[]): Region[] {
  const joined = new Map<string, Region>();
  for (const region of gazetteers.flatMap(({ regions }) => regions)) {
    const known = joined.get(region.key);
    if (known === undefined) joined.set(region.key, region);
    else {
      const aliases = new Set([...known.aliases, region.name, ...region.aliases]);
      aliases.delete(known.name);
      joined.set(region.key, { ...known, aliases: [...aliases] });
    }
  }
  return [...joined.values()];
}
