/** The formats that `toponym build --from` reads. */
export const SOURCE_FORMATS = ['geonames', 'osm', 'ndjson'] as const;
export type SourceFormat = (typeof SOURCE_FORMATS)[number];
