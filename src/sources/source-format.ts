/** The formats that `toponym build --from` reads. */
export type SourceFormat = 'geonames' | 'osm' | 'ndjson';
