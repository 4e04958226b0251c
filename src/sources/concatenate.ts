/**
 * Combines several gazetteers into one. A place whose id occurred before is rejected. Records of
 * one settlement with different ids are all kept: build/merge/ merges them later.
 */
import type { Country, Gazetteer, SourceReport } from '../place/gazetteer.ts';
import type { Place, Region } from '../place/place.ts';
import { PlaceIds } from './place-ids.ts';
import { addRejected, createReport } from './report.ts';

/** Version, regions and report are final once the places have been read. */
export function concatenate(gazetteers: readonly Gazetteer[]): Gazetteer {
  const report = createReport();
  return {
    get version() {
      return gazetteers.map(({ version }) => version).join('+');
    },
    attribution: [...new Set(gazetteers.flatMap(({ attribution }) => attribution))],
    countries: mergeBy(
      gazetteers.flatMap(({ countries }) => countries),
      'code',
    ),
    get regions() {
      return mergeBy(
        gazetteers.flatMap(({ regions }) => regions),
        'key',
      );
    },
    places: readPlaces(gazetteers, report),
    report,
  };
}

async function* readPlaces(gazetteers: readonly Gazetteer[], report: SourceReport): AsyncGenerator<Place> {
  const ids = new PlaceIds();
  for (const gazetteer of gazetteers) {
    for await (const place of gazetteer.places) {
      if (ids.add(place.id)) yield place;
      else moveToRejected(gazetteer, place);
    }
    addReportInto(report, gazetteer.report);
  }
}

/** Counts a place as rejected, although its source has already counted it as kept. */
function moveToRejected({ report, version }: Gazetteer, place: Place): void {
  report.rowsKept--;
  addRejected(report, 'id already used by an earlier source', `${version}: ${place.id} ${place.names[0]?.value ?? ''}`);
}

function addReportInto(total: SourceReport, report: SourceReport): void {
  total.rowsRead += report.rowsRead;
  total.rowsKept += report.rowsKept;
  for (const [reason, { count, samples }] of report.rejected) {
    const entry = total.rejected.get(reason) ?? { count: 0, samples: [] };
    entry.count += count;
    entry.samples.push(...samples);
    total.rejected.set(reason, entry);
  }
}

/** Of items with the same value in `field`, keeps the first, with the others' names as aliases. */
function mergeBy<Item extends Country | Region>(items: readonly Item[], field: keyof Item): Item[] {
  const merged = new Map<unknown, Item>();
  for (const item of items) {
    const first = merged.get(item[field]);
    if (first === undefined) merged.set(item[field], item);
    else {
      const aliases = new Set([...first.aliases, item.name, ...item.aliases]);
      aliases.delete(first.name);
      merged.set(item[field], { ...first, aliases: [...aliases] });
    }
  }
  return [...merged.values()];
}
