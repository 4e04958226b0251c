/**
 * Combines several gazetteers into one. A place is rejected if an earlier place has the same id.
 * Other duplicates are left to build/merge/.
 */
import type { Gazetteer, Place, Region, SourceReport } from 'toponym-engine/place/place';
import { PlaceIds } from './place-values.ts';
import { createReport, rejectKept } from './report.ts';

/** The result's version, regions and report are final once its places are read. */
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
    retiredIds: new Map(gazetteers.flatMap(({ retiredIds = [] }) => [...retiredIds])),
    report,
  };
}

async function* readPlaces(gazetteers: readonly Gazetteer[], total: SourceReport): AsyncGenerator<Place> {
  const ids = new PlaceIds();
  for (const gazetteer of gazetteers) {
    for await (const place of gazetteer.places) {
      if (ids.add(place.id)) yield place;
      else moveToRejected(gazetteer, place);
    }
    addToTotal(total, gazetteer.report);
  }
}

function moveToRejected({ report, version }: Gazetteer, place: Place): void {
  const sample = `${version}: ${place.id} ${place.names[0]?.value ?? ''}`;
  rejectKept(report, 'id already used by an earlier source', sample);
}

function addToTotal(total: SourceReport, report: SourceReport): void {
  total.rowsRead += report.rowsRead;
  total.rowsKept += report.rowsKept;
  for (const [reason, { count, samples }] of report.rejected) {
    const entry = total.rejected.get(reason) ?? { count: 0, samples: [] };
    entry.count += count;
    entry.samples.push(...samples);
    total.rejected.set(reason, entry);
  }
}

/** Merges items with the same `field`. The first one wins, and other names become aliases. */
function mergeBy<Item extends NamedItem>(items: readonly Item[], field: keyof Item): Item[] {
  const merged = new Map<unknown, Item>();
  for (const item of items) {
    const first = merged.get(item[field]);
    if (first === undefined) merged.set(item[field], item);
    else {
      const aliases = new Set([...first.aliases, item.name, ...item.aliases]);
      aliases.delete(first.name);
      merged.set(item[field], {
        ...first,
        ...mergedTranslations(first, item),
        aliases: [...aliases],
        ...(first.areAliasesFolded && { areAliasesFolded: false }), // those of the others are not
      });
    }
  }
  return [...merged.values()];
}

type NamedItem = Pick<Region, 'name' | 'aliases' | 'areAliasesFolded' | 'translations'>;

function mergedTranslations(first: NamedItem, other: NamedItem): Pick<Region, 'translations'> {
  if (other.translations === undefined) return {};
  return { translations: new Map([...other.translations, ...(first.translations ?? [])]) };
}
