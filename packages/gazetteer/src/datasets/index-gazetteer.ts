/** The places of an index as a source of another index. Built alone, they give the same bytes again. */
import type { Index } from 'toponym-engine/index-file/layout';
import { findPlace, readObjectId } from 'toponym-engine/index-file/packed-record';
import type { Place } from 'toponym-engine/place/place';
import { openPlaces } from '../build/read-places.ts';
import type { BaseGazetteer } from '../sources/overlay.ts';
import { createCountries } from '../sources/regions/countries.ts';
import { countKept, createReport } from '../sources/report.ts';

export function indexGazetteer(index: Index): BaseGazetteer {
  const { version, attribution } = index.metadata;
  const { regions, readPlace } = openPlaces(index);
  const report = createReport();
  return {
    version,
    attribution,
    countries: createCountries(),
    regions: [...regions.values()],
    places: readAll(),
    place(id) {
      const denseId = findPlace(index, id); // the place's number in the index
      return denseId === undefined ? undefined : readPlace(denseId);
    },
    retiredIds: readRetiredIds(index),
    isMerged: true,
    report,
  };

  async function* readAll(): AsyncGenerator<Place> {
    for (let denseId = 0; denseId < index.metadata.places; denseId++) {
      countKept(report);
      yield readPlace(denseId);
    }
  }
}

function readRetiredIds(index: Index): Map<string, string> {
  const { retiredSource, retiredNumber, retiredPlace } = index;
  const ids = new Map<string, string>();
  retiredPlace.forEach((place, i) => {
    ids.set(String.fromCharCode(retiredSource[i]!) + retiredNumber[i]!, readObjectId(index, place));
  });
  return ids;
}
